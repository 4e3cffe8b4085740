"""python -m sycl_pi_conformance"""

import sycl_pi_conformance

sycl_pi_conformance.main()
