//! The engine as Python sees it: the module `slicewright._core`.
//!
//! It is the only crate that uses Python. Statistics and advice are in Python itself.

mod batch;
mod columns;
mod entitlement;
mod exits;
mod live;
mod live_calls;
mod live_locks;
mod live_reads;
mod logs;
mod measured;
mod monitor_data;
mod name_lists;
mod pages;
mod pool_listing;
mod problems;
mod replay;
mod scenario;
mod serialization;
mod smf;
mod statistics;
mod tables;
mod timeline;
mod view;

use pyo3::prelude::*;

/// The engine: scenarios, simulation, report pages; no statistics and no conversation.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("InputError", py.get_type::<problems::InputError>())?;
    module.add("RunError", py.get_type::<problems::RunError>())?;
    module.add_class::<scenario::Scenario>()?;
    module.add_class::<pages::Page>()?;
    pages::add_kinds(module)?;
    module.add_class::<exits::Complex>()?;
    module.add_class::<exits::ExitAccount>()?;
    module.add_class::<monitor_data::MonitorFile>()?;
    module.add_class::<smf::SmfFile>()?;
    module.add_class::<name_lists::NameLists>()?;
    module.add_class::<pool_listing::PoolListing>()?;
    module.add_class::<serialization::Serialization>()?;
    module.add_function(wrap_pyfunction!(pages::device_page, module)?)?;
    module.add_function(wrap_pyfunction!(entitlement::entitlements, module)?)?;
    module.add_function(wrap_pyfunction!(pages::direct_access_page, module)?)?;
    add_live(module)?;
    module.add_function(wrap_pyfunction!(pages::contention_page, module)?)?;
    module.add_function(wrap_pyfunction!(logs::log_page, module)?)?;
    module.add_function(wrap_pyfunction!(logs::parking_page, module)?)?;
    module.add_function(wrap_pyfunction!(exits::exit_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(exits::exit_pairs_by_threads, module)?)?;
    module.add_function(wrap_pyfunction!(exits::exit_points, module)?)?;
    module.add_function(wrap_pyfunction!(exits::exit_prices, module)?)?;
    module.add_function(wrap_pyfunction!(exits::exit_structures, module)?)?;
    module.add_function(wrap_pyfunction!(monitor_data::monitor_file, module)?)?;
    module.add_function(wrap_pyfunction!(monitor_data::monitor_form, module)?)?;
    module.add_function(wrap_pyfunction!(monitor_data::monitor_layouts, module)?)?;
    module.add_function(wrap_pyfunction!(smf::smf_file, module)?)?;
    module.add_function(wrap_pyfunction!(smf::smf_layouts, module)?)?;
    module.add_function(wrap_pyfunction!(name_lists::name_list_differences, module)?)?;
    module.add_function(wrap_pyfunction!(name_lists::name_list_text, module)?)?;
    module.add_function(wrap_pyfunction!(pool_listing::pool_listing, module)?)?;
    module.add_function(wrap_pyfunction!(pages::cpu_page, module)?)?;
    module.add_function(wrap_pyfunction!(pages::partition_page, module)?)?;
    module.add_function(wrap_pyfunction!(pages::table_page, module)?)?;
    module.add_function(wrap_pyfunction!(replay::unknown_targets, module)?)?;
    module.add_function(wrap_pyfunction!(replay::supply, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::scenario_files, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::schema, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::redispatch_policies, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::channel_types, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::starters, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::starter, module)?)?;
    module.add_function(wrap_pyfunction!(serialization::enq_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(tables::counters, module)?)?;
    module.add_function(wrap_pyfunction!(tables::key_columns, module)?)?;
    module.add_function(wrap_pyfunction!(tables::tables, module)?)?;
    module.add_function(wrap_pyfunction!(timeline::timeline, module)?)?;
    module.add_function(wrap_pyfunction!(timeline::span_s, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::student_t, module)?)?;
    module.add_function(wrap_pyfunction!(view::scenario_classes, module)?)?;
    module.add_function(wrap_pyfunction!(view::scenario_text, module)?)?;
    Ok(())
}

/// The measurements on this machine.
fn add_live(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(live_calls::live_calls, module)?)?;
    module.add_function(wrap_pyfunction!(live::live_control_group_version, module)?)?;
    module.add_function(wrap_pyfunction!(live::live_end_with_parent, module)?)?;
    module.add_function(wrap_pyfunction!(live_locks::live_lock_costs, module)?)?;
    module.add_function(wrap_pyfunction!(live_locks::live_locks, module)?)?;
    module.add_function(wrap_pyfunction!(live_reads::live_reads, module)?)?;
    module.add_function(wrap_pyfunction!(live::live_tick_s, module)?)?;
    module.add_function(wrap_pyfunction!(live::live_waits, module)?)?;
    Ok(())
}
