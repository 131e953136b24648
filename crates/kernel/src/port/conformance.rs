//! The suite that every storage engine must pass: one function per property, each on a database of its own.
//!
//! An engine's test file names its [`Fixture`] and calls [`conformance_tests!`](crate::conformance_tests). The macro
//! makes a test of every property, so that a new property is tested on every engine.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a suite asserts")]

pub mod callers;
pub mod clock;
pub mod commits;
pub mod conditions;
pub mod counts;
mod fixture;
pub mod idempotency;
pub mod journals;
pub mod keys;
pub mod lists;
pub mod numbers;
pub mod ranges;
pub mod sortable;
pub mod speed;
pub mod tables;
pub mod things;
pub mod uniqueness;
pub mod workers;

pub use fixture::{Database, Fixture};

/// Makes a test of every property: `conformance_tests!(fixture())`.
#[macro_export]
macro_rules! conformance_tests {
    ($fixture:expr) => {
        $crate::conformance_tests! { @ $fixture;
            callers::aborted_callers_lose_nothing,
            callers::aborted_reads_and_work_wedge_nothing,
            callers::a_failing_engine_fails_its_callers_only,
            callers::a_full_lane_refuses,
            callers::all_who_wait_ask_once,
            callers::shutdown_commits_what_waits,
            clock::the_test_clock_knows_the_workers_of_all_processes,
            clock::the_test_clock_moves_forward_one_version_at_a_time,
            commits::a_bad_command_fails_alone,
            commits::clocks_have_no_gap_under_64_submitters,
            commits::a_command_is_whole_or_nothing,
            commits::a_command_of_two_journals_is_whole_or_nothing,
            commits::a_hot_entity_loses_no_change,
            commits::conflicts_and_exists,
            commits::a_repeated_entity_in_a_batch_sees_what_came_first,
            commits::nul_and_foreign_tables_are_refused,
            commits::removed_entities_are_gone_but_journalled,
            commits::several_journals,
            commits::odd_texts_survive,
            conditions::a_version_that_was_read_holds_or_refuses,
            conditions::a_group_that_was_read_holds_or_refuses,
            conditions::siblings_never_both_pass,
            counts::counts_are_shared,
            counts::counts_fall_with_time,
            counts::counts_lose_nothing,
            journals::a_page_and_its_head_are_one_state,
            journals::a_new_journal_has_a_lasting_epoch,
            journals::an_owner_has_a_part_of_each_span,
            journals::a_value_has_a_part_of_each_span,
            journals::a_person_has_what_is_theirs_and_what_names_them,
            journals::hints_reach_the_other_process,
            journals::replay_equals_state,
            journals::two_processes_leave_no_gap,
            keys::a_name_has_one_key,
            keys::a_destroyed_key_stays_destroyed,
            keys::a_key_is_rewrapped_where_it_is_still_the_same,
            lists::counts_up_to_the_limit,
            lists::check_filters,
            lists::find_many_by_a_unique_value,
            lists::find_and_get_many,
            lists::paging_newest_first,
            lists::scan_in_id_order,
            lists::rows_within_scopes,
            lists::rows_with_an_owner,
            numbers::a_number_is_in_all_that_a_commit_writes,
            numbers::a_refused_command_leaves_no_gap,
            numbers::series_count_apart,
            numbers::no_gap_under_64_writers_and_refusals,
            numbers::no_gap_after_writers_that_are_dropped,
            idempotency::forget_some_at_a_time,
            idempotency::traces_of_a_person_are_erased,
            idempotency::replayed_across_batches,
            idempotency::replayed_before_conflict,
            idempotency::replayed_under_64_submitters,
            idempotency::replayed_within_a_batch,
            ranges::a_range_follows_its_entities,
            ranges::a_range_goes_on_after_a_place,
            ranges::a_range_is_filtered_as_it_is_read,
            ranges::a_range_is_what_begins_so,
            ranges::a_range_passes_over_what_a_filter_excludes,
            ranges::a_range_needs_other_values,
            ranges::a_range_leaves_entities_out,
            ranges::a_range_answers_each_entity_once,
            ranges::a_range_ends_at_the_entities_asked_for,
            ranges::ranges_are_counted_up_to_their_limit,
            sortable::a_list_follows_each_kind_of_value,
            sortable::a_list_in_order_goes_on_after_a_place,
            sortable::a_list_in_order_is_filtered,
            sortable::a_range_has_both_its_bounds,
            uniqueness::a_value_is_released,
            uniqueness::taken_in_a_batch,
            uniqueness::taken_many_and_folded,
            uniqueness::taken_scalar,
            uniqueness::a_value_moves_within_a_batch,
            uniqueness::a_value_moves_within_a_command,
            uniqueness::taken_within_other_fields,
            workers::orders_are_kept_once,
            workers::runs_are_recorded_under_the_lease,
            workers::failed_entries_are_replayed,
            workers::a_lease_of_a_process_that_is_gone_is_free,
            workers::an_advance_is_fenced,
            workers::check_leases,
            workers::an_ended_epoch_says_what_is_shared,
            workers::failed_entries,
            workers::the_first_of_each_entity_is_due,
        }
        #[tokio::test(flavor = "multi_thread")]
        #[ignore = "a measurement"]
        async fn measure_speed() {
            $crate::conformance::speed::measure_speed(&$fixture).await;
        }
    };
    (@ $fixture:expr; $($module:ident :: $property:ident,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $property() {
                $crate::conformance::$module::$property(&$fixture).await;
            }
        )*
    };
}
