/* What dpctl 0.14.5 asks of libsycl.so.6 and the releases 2023.0.0 and 2023.1.0 do not have yet.
 *
 * That client was built on release 2023.2, which added a trailing discriminator to three constructors of sycl::queue and
 * a place in thread-local storage for code locations. The names are those of the Itanium C++ ABI; `self` is `this`.
 * Preloaded, and linked against the release's own libsycl.
 */

#define QUEUE(kind, rest) _ZN4sycl3_V15queue##kind##E##rest

/* queue(const context &, const device &, const property_list &) */
extern void QUEUE(C1, RKNS0_7contextERKNS0_6deviceERKNS0_13property_listE)(void *, const void *, const void *, const void *);
/* queue(const context &, const device &, const async_handler &, const property_list &) */
extern void QUEUE(C1, RKNS0_7contextERKNS0_6deviceERKSt8functionIFvNS0_14exception_listEEERKNS0_13property_listE)(
    void *, const void *, const void *, const void *, const void *);
/* queue(const device &, const async_handler &, const property_list &), the base object's constructor */
extern void QUEUE(C2, RKNS0_6deviceERKSt8functionIFvNS0_14exception_listEEERKNS0_13property_listE)(
    void *, const void *, const void *, const void *);

void QUEUE(C1, RKNS0_7contextERKNS0_6deviceERKNS0_13property_listENS1_13DiscriminatorE)(
    void *self, const void *context, const void *device, const void *properties) {
  QUEUE(C1, RKNS0_7contextERKNS0_6deviceERKNS0_13property_listE)(self, context, device, properties);
}

void QUEUE(C1,
           RKNS0_7contextERKNS0_6deviceERKSt8functionIFvNS0_14exception_listEEERKNS0_13property_listENS1_13DiscriminatorE)(
    void *self, const void *context, const void *device, const void *handler, const void *properties) {
  QUEUE(C1, RKNS0_7contextERKNS0_6deviceERKSt8functionIFvNS0_14exception_listEEERKNS0_13property_listE)(
      self, context, device, handler, properties);
}

void QUEUE(C2, RKNS0_6deviceERKSt8functionIFvNS0_14exception_listEEERKNS0_13property_listENS1_13DiscriminatorE)(
    void *self, const void *device, const void *handler, const void *properties) {
  QUEUE(C2, RKNS0_6deviceERKSt8functionIFvNS0_14exception_listEEERKNS0_13property_listE)(
      self, device, handler, properties);
}

/* detail::tls_code_loc_t: these releases pass code locations another way, so that there is nothing to keep. */
void _ZN4sycl3_V16detail14tls_code_loc_tC1ERKNS1_13code_locationE(void *self, const void *location) {
  (void)self;
  (void)location;
}

void _ZN4sycl3_V16detail14tls_code_loc_tD1Ev(void *self) { (void)self; }

#ifdef SHIM_2023_0
/* detail::buffer_plain::handleRelease() const: from 2023.1 on the buffer's destructor calls it. */
void _ZNK4sycl3_V16detail12buffer_plain13handleReleaseEv(const void *self) { (void)self; }
#endif
