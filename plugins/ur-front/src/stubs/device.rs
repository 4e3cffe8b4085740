//! Devices, sub-devices, timers, and the selection of a device binary.

use super::prelude::*;

stubs! {
    urDeviceGet(hPlatform: ur_platform_handle_t, DeviceType: ur_device_type_t, NumEntries: u32, phDevices: *mut
        ur_device_handle_t, pNumDevices: *mut u32) {
        let platform = object(hPlatform, "hPlatform")?;
        let kinds = convert::device_type(DeviceType)?;
        list(NumEntries, phDevices, pNumDevices, "phDevices or pNumDevices",
            |out| B::devices(platform, kinds, out),
            |raw| permanent::<B::Device>(raw, origin(platform)))
    };

    urDeviceGetInfo(hDevice: ur_device_handle_t, propName: ur_device_info_t, propSize: usize, pPropValue: *mut c_void,
        pPropSizeRet: *mut usize) {
        let device = object(hDevice, "hDevice")?;
        query::device::<B>(device, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };

    urDeviceRetain(hDevice: ur_device_handle_t)
        object::<B::Device>(hDevice, "hDevice")?.retain_by_caller();

    urDeviceRelease(hDevice: ur_device_handle_t)
        object::<B::Device>(hDevice, "hDevice")?.release_by_caller();

    urDevicePartition(hDevice: ur_device_handle_t, pProperties: *const ur_device_partition_properties_t, NumDevices:
        u32, phSubDevices: *mut ur_device_handle_t, pNumDevicesRet: *mut u32) {
        let device = object(hDevice, "hDevice")?;
        let scheme = partition_scheme(value(pProperties, "pProperties")?)?;
        // A count of 0 with a list queries only the number.
        let phSubDevices = if NumDevices == 0 { core::ptr::null_mut() } else { phSubDevices };
        list(NumDevices, phSubDevices, pNumDevicesRet, "phSubDevices or pNumDevicesRet",
            |out| B::device_partition(device, &scheme, out),
            |raw| New::<B::Device>::from_raw(raw).map_or(core::ptr::null_mut(), |new| adopt(new, origin(device))))
    };

    urDeviceSelectBinary(hDevice: ur_device_handle_t, pBinaries: *const ur_device_binary_t, NumBinaries: u32,
        pSelectedBinary: *mut u32) {
        let device = object(hDevice, "hDevice")?;
        if NumBinaries == 0 {
            return Err(error(UR_RESULT_ERROR_INVALID_SIZE, "NumBinaries is 0"));
        }
        address(pBinaries, "pBinaries")?;
        let binaries = slice(NumBinaries as usize, pBinaries, "pBinaries")?;
        let targets: Vec<&CStr> = binaries.iter()
            .map(|binary| c_str(binary.pDeviceTargetSpec, "pDeviceTargetSpec of an entry of pBinaries"))
            .collect::<Result<_>>()?;
        put(pSelectedBinary, "pSelectedBinary", || B::device_select_binary(device, &targets))
    };

    urDeviceGetNativeHandle(hDevice: ur_device_handle_t, phNativeDevice: *mut ur_native_handle_t) {
        let device = object(hDevice, "hDevice")?;
        put(phNativeDevice, "phNativeDevice", || B::device_native_handle(device))
    };

    urDeviceCreateWithNativeHandle(hNativeDevice: ur_native_handle_t, hAdapter: ur_adapter_handle_t, pProperties:
        *const ur_device_native_properties_t, phDevice: *mut ur_device_handle_t) {
        let origin = adapter(hAdapter)?.origin;
        let owned = pProperties.as_ref().is_some_and(|properties| properties.isNativeHandleOwned != 0);
        put(phDevice, "phDevice",
            || known_or_adopted(B::device_create_with_native_handle(hNativeDevice, None, owned)?, origin))
    };

    urDeviceGetGlobalTimestamps(hDevice: ur_device_handle_t, pDeviceTimestamp: *mut u64, pHostTimestamp: *mut u64)
        B::device_and_host_timer(object(hDevice, "hDevice")?, out_or_null(pDeviceTimestamp), out_or_null(pHostTimestamp));

    urDeviceWaitExp(hDevice: ur_device_handle_t) B::device_wait(object(hDevice, "hDevice")?);
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
        let text = "pProperties: no count of compute units but 0";
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
