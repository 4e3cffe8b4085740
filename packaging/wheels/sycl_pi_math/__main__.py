"""python -m sycl_pi_math: where the libraries are"""

import sycl_pi_math

print(sycl_pi_math.library_folder())
