//! Devices, sub-devices, timers, and the selection of a device binary.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn urDeviceGet<B: Backend>(
    hPlatform: ur_platform_handle_t, DeviceType: ur_device_type_t, NumEntries: u32,
    phDevices: *mut ur_device_handle_t, pNumDevices: *mut u32,
) -> Result<()> {
    // SAFETY: `hPlatform` is null or a live handle.
    let platform = unsafe { object(hPlatform, "hPlatform")? };
    let kinds = convert::device_type(DeviceType)?;
    // SAFETY: the list has room for as many entries as the caller states.
    unsafe {
        list(
            NumEntries,
            phDevices,
            pNumDevices,
            "phDevices or pNumDevices",
            |out| B::devices(platform, kinds, out),
            |raw| permanent::<B::Device>(raw, origin(platform)),
        )
    }
}

#[entry]
pub unsafe extern "C" fn urDeviceGetInfo<B: Backend>(
    hDevice: ur_device_handle_t, propName: ur_device_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object(hDevice, "hDevice")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::device::<B>(device, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urDeviceRetain<B: Backend>(hDevice: ur_device_handle_t) -> Result<()> {
    // SAFETY: `hDevice` is null or a live handle.
    unsafe { object::<B::Device>(hDevice, "hDevice")? }.retain_by_caller()
}

#[entry]
pub unsafe extern "C" fn urDeviceRelease<B: Backend>(hDevice: ur_device_handle_t) -> Result<()> {
    // SAFETY: `hDevice` is null or a live handle.
    unsafe { object::<B::Device>(hDevice, "hDevice")?.release_by_caller() }
}

#[entry]
pub unsafe extern "C" fn urDevicePartition<B: Backend>(
    hDevice: ur_device_handle_t, pProperties: *const ur_device_partition_properties_t, NumDevices: u32,
    phSubDevices: *mut ur_device_handle_t, pNumDevicesRet: *mut u32,
) -> Result<()> {
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object(hDevice, "hDevice")? };
    // SAFETY: `pProperties` is null or what its type says.
    let scheme = partition_scheme(unsafe { value(pProperties, "pProperties")? })?;
    // A count of 0 with a list queries only the number.
    let phSubDevices = if NumDevices == 0 { core::ptr::null_mut() } else { phSubDevices };
    // SAFETY: the list has room for as many entries as the caller states.
    unsafe {
        list(
            NumDevices,
            phSubDevices,
            pNumDevicesRet,
            "phSubDevices or pNumDevicesRet",
            |out| B::device_partition(device, &scheme, out),
            |raw| {
                New::<B::Device>::from_raw(raw)
                    .map_or(core::ptr::null_mut(), |new| adopt(new, origin(device)))
            },
        )
    }
}

#[entry]
pub unsafe extern "C" fn urDeviceSelectBinary<B: Backend>(
    hDevice: ur_device_handle_t, pBinaries: *const ur_device_binary_t, NumBinaries: u32,
    pSelectedBinary: *mut u32,
) -> Result<()> {
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object(hDevice, "hDevice")? };
    if NumBinaries == 0 {
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, "NumBinaries is 0"));
    }
    address(pBinaries, "pBinaries")?;
    // SAFETY: `pBinaries` is null or has `NumBinaries` entries.
    let binaries = unsafe { slice(NumBinaries as usize, pBinaries, "pBinaries")? };
    let targets: Vec<&CStr> = binaries
        .iter()
        // SAFETY: `pDeviceTargetSpec` is null or a string that ends with NUL.
        .map(|binary| unsafe {
            c_str(binary.pDeviceTargetSpec, "pDeviceTargetSpec of an entry of pBinaries")
        })
        .collect::<Result<_>>()?;
    // SAFETY: `pSelectedBinary` is null or writable.
    unsafe { put(pSelectedBinary, "pSelectedBinary", || B::device_select_binary(device, &targets)) }
}

#[entry]
pub unsafe extern "C" fn urDeviceGetNativeHandle<B: Backend>(
    hDevice: ur_device_handle_t, phNativeDevice: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object(hDevice, "hDevice")? };
    // SAFETY: `phNativeDevice` is null or writable.
    unsafe { put(phNativeDevice, "phNativeDevice", || B::device_native_handle(device)) }
}

#[entry]
pub unsafe extern "C" fn urDeviceCreateWithNativeHandle<B: Backend>(
    hNativeDevice: ur_native_handle_t, hAdapter: ur_adapter_handle_t,
    pProperties: *const ur_device_native_properties_t, phDevice: *mut ur_device_handle_t,
) -> Result<()> {
    // SAFETY: `hAdapter` is null or a live handle.
    let origin = unsafe { adapter(hAdapter)? }.origin;
    // SAFETY: `pProperties` is null or points to what its type says.
    let owned = unsafe { pProperties.as_ref() }.is_some_and(|properties| properties.isNativeHandleOwned != 0);
    // SAFETY: `phDevice` is null or writable.
    unsafe {
        put(phDevice, "phDevice", || {
            known_or_adopted(B::device_create_with_native_handle(hNativeDevice, None, owned)?, origin)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urDeviceGetGlobalTimestamps<B: Backend>(
    hDevice: ur_device_handle_t, pDeviceTimestamp: *mut u64, pHostTimestamp: *mut u64,
) -> Result<()> {
    B::device_and_host_timer(
        // SAFETY: `hDevice` is null or a live handle.
        unsafe { object(hDevice, "hDevice")? },
        // SAFETY: `pDeviceTimestamp` is null or writable.
        unsafe { out_or_null(pDeviceTimestamp) },
        // SAFETY: `pHostTimestamp` is null or writable.
        unsafe { out_or_null(pHostTimestamp) },
    )
}

#[entry]
pub unsafe extern "C" fn urDeviceWaitExp<B: Backend>(hDevice: ur_device_handle_t) -> Result<()> {
    // SAFETY: `hDevice` is null or a live handle.
    B::device_wait(unsafe { object(hDevice, "hDevice")? })
}

/// Returns a list of OpenCL's words, as backends take it: the scheme, its values, and the terminators.
fn partition_scheme(properties: &ur_device_partition_properties_t) -> Result<Vec<isize>> {
    if properties.PropCount == 0 {
        return Err(Error::invalid_value("pProperties has no property (PropCount is 0)"));
    }
    // SAFETY: this is the caller's list, with the length that it states.
    let list = unsafe { slice(properties.PropCount, properties.pProperties, "pProperties->pProperties")? };
    if !(UR_DEVICE_PARTITION_EQUALLY..=UR_DEVICE_PARTITION_BY_CSLICE).contains(&list[0].type_) {
        let text = format!("pProperties has the unknown scheme {:#x}", list[0].type_);
        return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text));
    }
    let mut words = vec![list[0].type_ as isize];
    for property in list {
        if property.type_ != list[0].type_ {
            return Err(Error::invalid_value("pProperties has more than one scheme"));
        }
        // SAFETY: all members are numbers of the same size.
        let value = unsafe { property.value.count } as isize;
        // SYCL creates a sub-device for each count except 0, which terminates OpenCL's list.
        if property.type_ != UR_DEVICE_PARTITION_BY_COUNTS || value != 0 {
            words.push(value);
        }
    }
    if words.len() == 1 {
        let text = "pProperties: all counts of compute units are 0";
        return Err(error(UR_RESULT_ERROR_INVALID_DEVICE_PARTITION_COUNT, text));
    }
    match list[0].type_ {
        UR_DEVICE_PARTITION_BY_COUNTS => words.push(PartitionProperty::PARTITION_BY_COUNTS_LIST_END.0),
        UR_DEVICE_PARTITION_BY_CSLICE => words.truncate(1),
        _ => {}
    }
    words.push(0);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that OpenCL takes for a list of properties.
    fn words(list: &[(ur_device_partition_t, u32)]) -> Result<Vec<isize>, ErrorCode> {
        let property = |(type_, count): &(ur_device_partition_t, u32)| ur_device_partition_property_t {
            type_: *type_,
            value: ur_device_partition_value_t { count: *count },
        };
        let list: Vec<_> = list.iter().map(property).collect();
        let properties = ur_device_partition_properties_t {
            stype: UR_STRUCTURE_TYPE_DEVICE_PARTITION_PROPERTIES,
            pNext: core::ptr::null_mut(),
            pProperties: list.as_ptr(),
            PropCount: list.len(),
        };
        partition_scheme(&properties).map_err(|error| error.code())
    }

    #[test]
    fn a_partition_has_one_scheme_and_its_values() {
        // CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN.
        let (equally, counts, domain) = (0x1086, 0x1087, 0x1088);
        let by = UR_DEVICE_PARTITION_BY_COUNTS;
        assert_eq!(words(&[(UR_DEVICE_PARTITION_EQUALLY, 4)]), Ok(vec![equally, 4, 0]));
        assert_eq!(words(&[(by, 2), (by, 0), (by, 3)]), Ok(vec![counts, 2, 3, 0, 0]));
        assert_eq!(words(&[(UR_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1)]), Ok(vec![domain, 1, 0]));
        let by_slice = words(&[(UR_DEVICE_PARTITION_BY_CSLICE, 0)]);
        assert_eq!(by_slice, Ok(vec![UR_DEVICE_PARTITION_BY_CSLICE as isize, 0]), "it has no value");
        let mixed = [(UR_DEVICE_PARTITION_EQUALLY, 4), (by, 2)];
        assert_eq!(words(&mixed), Err(ErrorCode::INVALID_VALUE));
        assert_eq!(words(&[]), Err(ErrorCode::INVALID_VALUE));
        let none = words(&[(by, 0)]).map_err(convert::result);
        assert_eq!(none, Err(UR_RESULT_ERROR_INVALID_DEVICE_PARTITION_COUNT));
        let unknown = words(&[(UR_DEVICE_PARTITION_BY_CSLICE + 1, 1)]).map_err(convert::result);
        assert_eq!(unknown, Err(UR_RESULT_ERROR_INVALID_ENUMERATION));
    }
}
