//! Buffers: where they are, what a caller gave for them, what is mapped.
//!
//! A buffer is one allocation. On a context with one root device it is on that device, or in host memory where the device
//! is a part of the host; on a context with several it is in host memory, which all of them reach.

use std::collections::HashMap;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result, Shared};
use sycl_pi_backend::types::*;

use crate::mem;
use crate::sys::{Address, copy_in, ze};
use crate::usm_pool::{Block, Place, Request};
use crate::{Context, Mem};

/// A buffer or a part of one.
pub(crate) struct Buffer {
    pub(crate) address: Address,
    pub(crate) size: usize,
    /// Whether the host may look at the memory itself.
    pub(crate) on_host: bool,
    /// What the caller lent with MemFlags::HOST_PTR_USE: maps are there.
    pub(crate) lent: Address,
    owner: Owner,
    maps: Mutex<HashMap<usize, Vec<Map>>>,
}

enum Owner {
    Own(Block),
    Parent(Shared<mem::Body>),
    /// From a native handle: freed with the buffer where it was handed over.
    Native {
        context: Shared<crate::context::Body>,
        owned: bool,
    },
}

/// A mapped part.
pub(crate) struct Map {
    pub(crate) offset: usize,
    pub(crate) size: usize,
    /// Whether the host's bytes go back.
    pub(crate) write: bool,
    /// Host memory that stands for the part.
    pub(crate) staging: Option<Block>,
    /// Whether the map is the buffer's own memory.
    pub(crate) direct: bool,
}

impl Buffer {
    pub(crate) fn new(
        context: &Context,
        flags: MemFlags,
        size: usize,
        host_ptr: Address,
    ) -> Result<Self> {
        let shared = context.share();
        let roots = context.roots();
        let device = &context.devices[0];
        let on_host = roots.len() > 1 || device.is_integrated() || flags & MemFlags::HOST_PTR_ALLOC != 0;
        let place = match (on_host, context.devices.as_slice()) {
            (true, _) => Place::Host,
            (false, [only]) => Place::Device(only.ze),
            (false, _) => Place::Device(roots[0].ze),
        };
        let block = Block::new(&shared, Request::new(place, size))?;
        let address = block.address;
        let mut lent = Address::NULL;
        if flags & (MemFlags::HOST_PTR_USE | MemFlags::HOST_PTR_COPY) != 0 {
            if on_host {
                copy_in(address, host_ptr, size);
            } else {
                context.stage.copy(context, device, address, host_ptr, size)?;
            }
            if flags & MemFlags::HOST_PTR_USE != 0 {
                lent = host_ptr;
            }
        }
        Ok(Self { address, size, on_host, lent, owner: Owner::Own(block), maps: Mutex::default() })
    }

    /// A part of a buffer.
    pub(crate) fn part(parent: &Mem, origin: usize, size: usize) -> Result<Self> {
        let buffer = parent.buffer()?;
        if matches!(buffer.owner, Owner::Parent(_)) {
            return Err(Error::new(ErrorCode::INVALID_MEM_OBJECT, "a part of a buffer has no parts"));
        }
        buffer
            .check(origin, size, "buffer_create_info: the region")
            .map_err(|error| error.with_code(ErrorCode::INVALID_BUFFER_SIZE))?;
        let lent = if buffer.lent.is_null() { Address::NULL } else { buffer.lent.add(origin) };
        Ok(Self {
            address: buffer.address.add(origin),
            size,
            on_host: buffer.on_host,
            lent,
            owner: Owner::Parent(parent.share()),
            maps: Mutex::default(),
        })
    }

    /// Memory from outside.
    pub(crate) fn native(
        context: &Context,
        address: Address,
        size: usize,
        on_host: bool,
        owned: bool,
    ) -> Self {
        let owner = Owner::Native { context: context.share(), owned };
        Self { address, size, on_host, lent: Address::NULL, owner, maps: Mutex::default() }
    }

    /// Refuses bytes that the buffer has not. No sum that could wrap.
    #[inline]
    pub(crate) fn check(&self, offset: usize, size: usize, what: &str) -> Result<()> {
        if size <= self.size && offset <= self.size - size {
            return Ok(());
        }
        Err(outside(offset, size, self.size, what))
    }

    /// Keeps a map in mind.
    pub(crate) fn mapped(&self, at: Address, map: Map) {
        self.maps.lock().entry(at.number()).or_default().push(map);
    }

    /// The map that starts there, taken out.
    pub(crate) fn unmap(&self, at: Address) -> Result<Map> {
        let mut maps = self.maps.lock();
        let found = maps.get_mut(&at.number()).and_then(Vec::pop);
        if maps.get(&at.number()).is_some_and(Vec::is_empty) {
            maps.remove(&at.number());
        }
        found.ok_or_else(|| {
            Error::invalid_value(format!("mapped_ptr: nothing of the buffer is mapped at {:#x}", at.number()))
        })
    }
}

#[cold]
fn outside(offset: usize, size: usize, total: usize, what: &str) -> Error {
    Error::invalid_value(format!("{what}: {size} bytes at {offset} of a buffer that has {total}"))
}

impl Drop for Buffer {
    fn drop(&mut self) {
        match &self.owner {
            // The block goes with the field.
            Owner::Own(block) => log::trace!("buffer at {:#x} goes", block.address.number()),
            Owner::Parent(parent) => log::trace!("a part of a buffer of {} goes", parent.reference_count()),
            Owner::Native { context, owned } => {
                if *owned {
                    crate::pool::log_failure(
                        ze().and_then(|ze| ze.zeMemFree(context.ze, self.address.get())),
                    );
                }
            }
        }
    }
}
