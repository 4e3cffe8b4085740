//! Maps each instruction to the function that translates it: the table of contents of this folder.
//!
//! The specification's `OpIAdd` is `Op::IAdd` here, as rspirv names it: search for `Op::IAdd`.

use sycl_pi_image::spirv::Op;

use crate::code::bfloat16::Conversion;
use crate::code::body::Body;
use crate::code::foreign;
use crate::error::Result;
use crate::helpers::atomics::AtomicOperation;
use crate::helpers::lanes::Shuffle;
use crate::helpers::reduce::Reduction;

impl Body<'_, '_> {
    /// Translates the instruction. Names in quotation marks are LLVM's.
    pub(crate) fn translate(&mut self) -> Result<()> {
        match self.inst.opcode {
            // Instructions that have no effect on the code, or make promises that are not used.
            Op::Line | Op::NoLine => Ok(()),
            Op::Function | Op::FunctionParameter | Op::FunctionEnd => Ok(()),
            Op::AliasDomainDeclINTEL | Op::AliasScopeDeclINTEL | Op::AliasScopeListDeclINTEL => Ok(()),
            Op::LoopMerge | Op::SelectionMerge | Op::LoopControlINTEL => Ok(()),
            Op::LifetimeStart | Op::LifetimeStop | Op::AssumeTrueKHR => Ok(()),

            // memory.rs
            Op::Variable => self.variable(),
            Op::Load => self.load(),
            Op::Store => self.store(),
            Op::CopyMemory => self.copy_object_in_memory(),
            Op::CopyMemorySized => self.copy_memory_sized(),

            // pointer.rs
            Op::AccessChain | Op::InBoundsAccessChain => self.access_chain(),
            Op::PtrAccessChain | Op::InBoundsPtrAccessChain => self.pointer_access_chain(),
            Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::Bitcast => self.cast(),
            Op::GenericCastToPtrExplicit => self.cast_if_it_is(),
            Op::GenericPtrMemSemantics => self.semantics_of_memory(),
            Op::ConvertPtrToU => self.convert_pointer("ptrtoint"),
            Op::ConvertUToPtr => self.convert_pointer("inttoptr"),
            Op::PtrDiff => self.pointer_difference(),

            // control.rs
            Op::Label => self.label(),
            Op::Phi => self.phi(),
            Op::Branch => self.branch(),
            Op::BranchConditional => self.branch_conditional(),
            Op::Switch => self.switch(),
            Op::Return => self.return_nothing(),
            Op::ReturnValue => self.return_value(),
            Op::Unreachable | Op::Kill => self.unreachable(),

            // call.rs
            Op::FunctionCall => self.direct_call(),
            Op::FunctionPointerCallINTEL => self.indirect_call(),

            // arithmetic.rs
            Op::IAdd => self.binary("add"),
            Op::ISub => self.binary("sub"),
            Op::IMul => self.binary("mul"),
            Op::UDiv => self.binary("udiv"),
            Op::SDiv => self.binary("sdiv"),
            Op::UMod => self.binary("urem"),
            Op::SRem => self.binary("srem"),
            Op::SMod => self.signed_modulo(),
            Op::SNegate => self.negate(),
            Op::LogicalOr | Op::BitwiseOr => self.binary("or"),
            Op::LogicalAnd | Op::BitwiseAnd => self.binary("and"),
            Op::BitwiseXor => self.binary("xor"),
            Op::LogicalNot | Op::Not => self.not(),
            Op::ShiftRightLogical => self.shift("lshr"),
            Op::ShiftRightArithmetic => self.shift("ashr"),
            Op::ShiftLeftLogical => self.shift("shl"),
            Op::BitReverse => self.count_or_reverse_bits("bitreverse"),
            Op::BitCount => self.count_or_reverse_bits("ctpop"),
            Op::FAdd => self.float_binary("fadd"),
            Op::FSub => self.float_binary("fsub"),
            Op::FMul => self.float_binary("fmul"),
            Op::FDiv => self.float_binary("fdiv"),
            Op::FRem => self.float_remainder(),
            Op::FMod => self.float_modulo(),
            Op::FNegate => self.float_negate(),
            Op::VectorTimesScalar | Op::MatrixTimesScalar => self.vector_times_scalar(),
            Op::Dot => self.dot(),
            Op::IAddCarry => self.add_with_carry(),
            Op::ISubBorrow => self.subtract_with_borrow(),
            Op::UMulExtended => self.multiply_extended("zext"),
            Op::SMulExtended => self.multiply_extended("sext"),

            // compare.rs
            Op::LogicalEqual | Op::IEqual | Op::PtrEqual => self.compare_integers("eq"),
            Op::LogicalNotEqual | Op::INotEqual | Op::PtrNotEqual => self.compare_integers("ne"),
            Op::UGreaterThan => self.compare_integers("ugt"),
            Op::SGreaterThan => self.compare_integers("sgt"),
            Op::UGreaterThanEqual => self.compare_integers("uge"),
            Op::SGreaterThanEqual => self.compare_integers("sge"),
            Op::ULessThan => self.compare_integers("ult"),
            Op::SLessThan => self.compare_integers("slt"),
            Op::ULessThanEqual => self.compare_integers("ule"),
            Op::SLessThanEqual => self.compare_integers("sle"),
            Op::Ordered => self.compare_floats("ord"),
            Op::Unordered => self.compare_floats("uno"),
            Op::FOrdEqual => self.compare_floats("oeq"),
            Op::FUnordEqual => self.compare_floats("ueq"),
            Op::FOrdNotEqual | Op::LessOrGreater => self.compare_floats("one"),
            Op::FUnordNotEqual => self.compare_floats("une"),
            Op::FOrdLessThan => self.compare_floats("olt"),
            Op::FUnordLessThan => self.compare_floats("ult"),
            Op::FOrdGreaterThan => self.compare_floats("ogt"),
            Op::FUnordGreaterThan => self.compare_floats("ugt"),
            Op::FOrdLessThanEqual => self.compare_floats("ole"),
            Op::FUnordLessThanEqual => self.compare_floats("ule"),
            Op::FOrdGreaterThanEqual => self.compare_floats("oge"),
            Op::FUnordGreaterThanEqual => self.compare_floats("uge"),
            Op::Any => self.any_or_all("or"),
            Op::All => self.any_or_all("and"),
            Op::IsNan => self.is_nan(),
            Op::IsInf | Op::IsFinite | Op::IsNormal | Op::SignBitSet => self.classify(),
            Op::Select => self.select(),

            // composite.rs
            Op::VectorExtractDynamic => self.vector_extract(),
            Op::VectorInsertDynamic => self.vector_insert(),
            Op::VectorShuffle => self.vector_shuffle(),
            Op::CompositeConstruct => self.construct(),
            Op::CompositeExtract => self.extract(),
            Op::CompositeInsert => self.insert(),
            Op::CopyObject | Op::CopyLogical | Op::ExpectKHR => self.copy_object(),
            Op::Undef => self.undefined(),

            // convert.rs
            Op::ConvertFToU => self.float_to_integer(false),
            Op::ConvertFToS => self.float_to_integer(true),
            Op::ConvertSToF => self.integer_to_float(true),
            Op::ConvertUToF => self.integer_to_float(false),
            Op::UConvert => self.integer_to_integer(false),
            Op::SConvert => self.integer_to_integer(true),
            Op::FConvert => self.float_to_float(),
            Op::QuantizeToF16 => self.quantize(),
            Op::SatConvertSToU => self.saturate(true, false),
            Op::SatConvertUToS => self.saturate(false, true),

            // bfloat16.rs
            Op::ConvertFToBF16INTEL => self.bfloat16(Conversion::ToBfloat16),
            Op::ConvertBF16ToFINTEL => self.bfloat16(Conversion::FromBfloat16),

            // image.rs
            Op::ConvertHandleToSampledImageINTEL => self.sampled_image_of_handle(),
            Op::ImageSampleExplicitLod => self.sample_image(),
            Op::ImageFetch => self.fetch_image(),

            // matrix.rs
            Op::CooperativeMatrixLoadKHR => self.matrix_load(),
            Op::CooperativeMatrixStoreKHR => self.matrix_store(),
            Op::CooperativeMatrixMulAddKHR => self.matrix_multiply_add(),
            Op::CooperativeMatrixLengthKHR => self.matrix_length(),

            // opencl/mod.rs
            Op::ExtInst => self.extended_instruction(),

            // atomics.rs
            Op::AtomicLoad => self.atomic_load(),
            Op::AtomicStore => self.atomic_store(),
            Op::AtomicExchange => self.atomic(AtomicOperation::Exchange),
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => self.atomic_compare_exchange(),
            Op::AtomicIIncrement => self.atomic_add("1"),
            Op::AtomicIDecrement => self.atomic_add("-1"),
            Op::AtomicIAdd => self.atomic(AtomicOperation::IAdd),
            Op::AtomicISub => self.atomic_subtract(),
            Op::AtomicSMin => self.atomic(AtomicOperation::SMin),
            Op::AtomicUMin => self.atomic(AtomicOperation::UMin),
            Op::AtomicSMax => self.atomic(AtomicOperation::SMax),
            Op::AtomicUMax => self.atomic(AtomicOperation::UMax),
            Op::AtomicAnd => self.atomic(AtomicOperation::And),
            Op::AtomicOr => self.atomic(AtomicOperation::Or),
            Op::AtomicXor => self.atomic(AtomicOperation::Xor),
            Op::AtomicFlagTestAndSet => self.atomic_flag_test_and_set(),
            Op::AtomicFlagClear => self.atomic_flag_clear(),
            Op::AtomicFAddEXT => self.atomic_float(AtomicOperation::FAdd),
            Op::AtomicFMinEXT => self.atomic_float(AtomicOperation::FMin),
            Op::AtomicFMaxEXT => self.atomic_float(AtomicOperation::FMax),

            // async_copy.rs
            Op::GroupAsyncCopy => self.group_async_copy(),
            Op::GroupWaitEvents => self.group_wait_events(),

            // clock.rs
            Op::ReadClockKHR => self.read_clock(),

            // groups.rs
            Op::ControlBarrier => self.control_barrier(),
            Op::MemoryBarrier => self.memory_barrier(),
            Op::GroupAll => self.vote(false),
            Op::GroupAny => self.vote(true),
            Op::GroupBroadcast => self.broadcast(),
            Op::GroupIAdd => self.reduce(Reduction::IAdd),
            Op::GroupFAdd => self.reduce(Reduction::FAdd),
            Op::GroupFMin => self.reduce(Reduction::FMin),
            Op::GroupUMin => self.reduce(Reduction::UMin),
            Op::GroupSMin => self.reduce(Reduction::SMin),
            Op::GroupFMax => self.reduce(Reduction::FMax),
            Op::GroupUMax => self.reduce(Reduction::UMax),
            Op::GroupSMax => self.reduce(Reduction::SMax),
            Op::GroupIMulKHR => self.reduce(Reduction::IMul),
            Op::GroupFMulKHR => self.reduce(Reduction::FMul),
            Op::GroupBitwiseAndKHR | Op::GroupLogicalAndKHR => self.reduce(Reduction::And),
            Op::GroupBitwiseOrKHR | Op::GroupLogicalOrKHR => self.reduce(Reduction::Or),
            Op::GroupBitwiseXorKHR | Op::GroupLogicalXorKHR => self.reduce(Reduction::Xor),

            // subgroups.rs
            Op::GroupNonUniformElect => self.elect(),
            Op::GroupNonUniformAll => self.active_vote(false),
            Op::GroupNonUniformAny => self.active_vote(true),
            Op::GroupNonUniformBroadcast | Op::GroupNonUniformShuffle => self.active_shuffle(Shuffle::Index),
            Op::GroupNonUniformBroadcastFirst => self.broadcast_first(),
            Op::GroupNonUniformShuffleXor => self.active_shuffle(Shuffle::Xor),
            Op::GroupNonUniformShuffleUp => self.active_shuffle(Shuffle::Up),
            Op::GroupNonUniformShuffleDown => self.active_shuffle(Shuffle::Down),
            Op::SubgroupShuffleINTEL => self.subgroup_shuffle(Shuffle::Index),
            Op::SubgroupShuffleXorINTEL => self.subgroup_shuffle(Shuffle::Xor),
            Op::SubgroupShuffleDownINTEL => self.shuffle_two(Shuffle::Down),
            Op::SubgroupShuffleUpINTEL => self.shuffle_two(Shuffle::Up),
            Op::SubgroupBlockReadINTEL => self.block_read(),
            Op::SubgroupBlockWriteINTEL => self.block_write(),
            Op::GroupNonUniformAllEqual => self.all_equal(),

            // clusters.rs
            Op::GroupNonUniformRotateKHR => self.rotate_lanes(),
            Op::GroupNonUniformQuadBroadcast => self.quad_broadcast(),
            Op::GroupNonUniformQuadSwap => self.quad_swap(),
            Op::GroupNonUniformIAdd => self.active_reduce(Reduction::IAdd),
            Op::GroupNonUniformFAdd => self.active_reduce(Reduction::FAdd),
            Op::GroupNonUniformIMul => self.active_reduce(Reduction::IMul),
            Op::GroupNonUniformFMul => self.active_reduce(Reduction::FMul),
            Op::GroupNonUniformSMin => self.active_reduce(Reduction::SMin),
            Op::GroupNonUniformUMin => self.active_reduce(Reduction::UMin),
            Op::GroupNonUniformFMin => self.active_reduce(Reduction::FMin),
            Op::GroupNonUniformSMax => self.active_reduce(Reduction::SMax),
            Op::GroupNonUniformUMax => self.active_reduce(Reduction::UMax),
            Op::GroupNonUniformFMax => self.active_reduce(Reduction::FMax),
            Op::GroupNonUniformBitwiseAnd | Op::GroupNonUniformLogicalAnd => {
                self.active_reduce(Reduction::And)
            }
            Op::GroupNonUniformBitwiseOr | Op::GroupNonUniformLogicalOr => self.active_reduce(Reduction::Or),
            Op::GroupNonUniformBitwiseXor | Op::GroupNonUniformLogicalXor => {
                self.active_reduce(Reduction::Xor)
            }

            // ballots.rs
            Op::GroupNonUniformBallot => self.ballot(),
            Op::GroupNonUniformInverseBallot => self.inverse_ballot(),
            Op::GroupNonUniformBallotBitExtract => self.ballot_bit_extract(),
            Op::GroupNonUniformBallotBitCount => self.ballot_bit_count(),
            Op::GroupNonUniformBallotFindLSB => self.ballot_find_lowest(),
            Op::GroupNonUniformBallotFindMSB => self.ballot_find_highest(),

            _ => Err(foreign::why(&self.inst).into()),
        }
    }
}
