//! Whether this processor has the instructions the binary was compiled for.

/// The first x86-64-v3 feature that the binary uses and this processor lacks.
///
/// Asks the processor itself: the standard library's macro answers from the compiler's flags where they
/// promise the feature, which is the very case to be caught.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub fn missing_feature() -> Option<&'static str> {
    let cpu = raw_cpuid::CpuId::new();
    let basic = cpu.get_feature_info();
    let extended = cpu.get_extended_feature_info();
    let further = cpu.get_extended_processor_and_feature_identifiers();
    [
        ("SSE4.2", basic.as_ref().is_some_and(|f| f.has_sse42())),
        ("POPCNT", basic.as_ref().is_some_and(|f| f.has_popcnt())),
        ("AVX", basic.as_ref().is_some_and(|f| f.has_avx())),
        ("FMA", basic.as_ref().is_some_and(|f| f.has_fma())),
        ("MOVBE", basic.as_ref().is_some_and(|f| f.has_movbe())),
        ("AVX2", extended.as_ref().is_some_and(|f| f.has_avx2())),
        ("BMI1", extended.as_ref().is_some_and(|f| f.has_bmi1())),
        ("BMI2", extended.as_ref().is_some_and(|f| f.has_bmi2())),
        ("LZCNT", further.as_ref().is_some_and(|f| f.has_lzcnt())),
    ]
    .into_iter()
    .find(|(_, present)| !present)
    .map(|(name, _)| name)
}

/// Nothing is missing: the binary was compiled for the plain target.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub fn missing_feature() -> Option<&'static str> {
    None
}
