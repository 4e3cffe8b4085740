//! Modules.

use std::ffi::{CStr, c_char, c_void};

use super::structure_type::*;

/// Extension name: Module Program Extension Name.
pub const ZE_MODULE_PROGRAM_EXP_NAME: &CStr = c"ZE_experimental_module_program";

enums! {
    /// Supported module creation input formats.
    ze_module_format_t {
        /// Format is SPIRV IL format.
        ZE_MODULE_FORMAT_IL_SPIRV = 0,
        /// Format is device native format.
        ZE_MODULE_FORMAT_NATIVE = 1,
    }
}

flags! {
    /// Supported module property flags.
    ze_module_property_flags_t | ze_module_property_flag_t {
        /// Module has imports (i.e. imported global variables and/or kernels). See zeModuleDynamicLink.
        ZE_MODULE_PROPERTY_FLAG_IMPORTS = 1 << 0,
    }
    /// Supported module linkage inspection flags.
    ze_linkage_inspection_ext_flags_t | ze_linkage_inspection_ext_flag_t {
        /// List all imports of modules.
        ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS = 1 << 0,
        /// List all imports of modules that do not have a corresponding export.
        ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS = 1 << 1,
        /// List all exports of modules.
        ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS = 1 << 2,
    }
}

structs! {
    /// Specialization constants - User defined constants.
    ze_module_constants_t {
        /// Number of specialization constants.
        numConstants: u32,
        /// Array of IDs that is sized to numConstants.
        pConstantIds: *const u32,
        /// Array of pointers to values that is sized to numConstants.
        pConstantValues: *mut *const c_void,
    }
    /// Module descriptor.
    ze_module_desc_t = ZE_STRUCTURE_TYPE_MODULE_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Module format passed in with pInputModule.
        format: ze_module_format_t,
        /// Size of input IL or ISA from pInputModule.
        inputSize: usize,
        /// Pointer to IL or ISA.
        pInputModule: *const u8,
        /// String containing compiler flags.
        pBuildFlags: *const c_char,
        /// Pointer to specialization constants.
        pConstants: *const ze_module_constants_t,
    }
    /// Module properties.
    ze_module_properties_t = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// 0 (none) or a valid combination of ze_module_property_flag_t.
        flags: ze_module_property_flags_t,
    }
    /// Module extended descriptor to support multiple input modules.
    ze_module_program_exp_desc_t = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Count of input modules.
        count: u32,
        /// Sizes of each input IL module in pInputModules.
        inputSizes: *const usize,
        /// Pointer to an array of IL (e.g. SPIR-V modules). Valid only for SPIR-V input.
        pInputModules: *mut *const u8,
        /// Array of strings containing build flags. See pBuildFlags in ze_module_desc_t.
        pBuildFlags: *mut *const c_char,
        /// Pointer to array of specialization constant strings.
        pConstants: *mut *const ze_module_constants_t,
    }
    /// Module linkage inspection descriptor.
    ze_linkage_inspection_ext_desc_t = ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying module linkage inspection.
        flags: ze_linkage_inspection_ext_flags_t,
    }
}
