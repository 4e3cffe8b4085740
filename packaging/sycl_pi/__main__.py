"""python -m sycl_pi"""

import sycl_pi

sycl_pi.main()
