//! The operations, each through the table of a plugin or adapter, and as a program would call the driver itself.

mod case;
mod pi;
mod ur;

use anyhow::Result;

use crate::driver::Driver;
use crate::objects::Objects;
use crate::which::Which;
pub(crate) use case::{Case, set_current, works};
use case::{Cases, case, nothing, ok, repeat};

/// The driver, its objects, and all operations on them.
pub(crate) struct Bench {
    driver: &'static Driver,
    objects: &'static Objects,
    /// The PI version of both plugins, or the layout of both adapters.
    pub(crate) version: String,
    pub(crate) cases: Vec<Case>,
}

impl Bench {
    /// Opens the driver, creates the objects and loads the two libraries.
    pub(crate) fn start(which: &Which) -> Result<Self> {
        let mut driver = Driver::open()?;
        let objects: &Objects = Box::leak(Box::new(Objects::new(&mut driver)?));
        let driver: &Driver = Box::leak(Box::new(driver));
        let (version, cases) = match which.layout {
            None => pi::cases(which, driver, objects)?,
            Some(layout) => (layout.name().to_owned(), ur::cases(which, layout, driver, objects)?),
        };
        Ok(Bench { driver, objects, version, cases })
    }

    /// Describes the device and driver.
    pub(crate) fn device(&self) -> String {
        self.objects.description.clone()
    }

    /// Waits until the commands of a batch are complete.
    pub(crate) fn finish(&self) {
        let finish = self.driver.clFinish.expect("the objects needed it too");
        // SAFETY: a live queue.
        ok(unsafe { finish(self.objects.queue) });
    }
}
