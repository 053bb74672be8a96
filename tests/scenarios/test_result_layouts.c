/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of all files, as they were first released: others may stand behind them, but none of
 * them moves, goes, or is called otherwise. */
#include "scenarios/output/result_layouts.h"

#include "engine/text.h"
#include "tests/support/testing.h"

#include <string.h>

struct released {
    const char *name, *columns;
};

static const struct released released[] = {
    {"summary",
     "strategy,workload,metric,unit,n,censored,mean,sd,min,p5,p10,p25,p50,p75,p80,p90,p95,"
     "p99,max,p50_low,p50_high,p80_low,p80_high,p90_low,p90_high,p95_low,p95_high,"
     "p50_at_least,p80_at_least,p90_at_least,p95_at_least,p50_at_most,p80_at_most,"
     "p90_at_most,p95_at_most,"},
    {"comparison", "strategy,baseline,workload,metric,unit,n,left_out,mean_difference,low,high,"
                   "win_frac,tie_frac,relative_frac,difference_at_least,difference_at_most,"
                   "rests_on,"},
    {"distribution", "strategy,workload,metric,value,cumulative_frac,censored,finished_frac,"},
    {"timeline", "strategy,time,bucket_start_s,bucket_s,measure,unit,mean,plan,p10,p25,p50,p75,"
                 "p90,"},
    {"monthly", "strategy,month,cost_mean_usd,cost_plan_usd,cost_p10_usd,cost_p90_usd,censored,"
                "cash_mean_usd,cash_plan_usd,cash_p10_usd,cash_p90_usd,amortised_mean_usd,"
                "amortised_plan_usd,amortised_p10_usd,amortised_p90_usd,"},
    {"lines", "strategy,workload,purchase,activity,cost_mean_usd,cost_plan_usd,cost_p10_usd,"
              "cost_p90_usd,node_h_mean,node_h_plan,censored,category,"},
    {"quarters", "strategy,quarter,first_month,last_month,cost_mean_usd,cost_plan_usd,cost_p10_usd,"
                 "cost_p90_usd,cash_mean_usd,cash_plan_usd,cash_p10_usd,cash_p90_usd,"
                 "amortised_mean_usd,amortised_plan_usd,amortised_p10_usd,amortised_p90_usd,"
                 "censored,"},
    {"categories", "strategy,month,category,cost_mean_usd,cost_plan_usd,cost_p10_usd,cost_p90_usd,"
                   "censored,"},
    {"commitments",
     "strategy,commitment,name,kind,class,term_years,payment,count,hourly_usd,purchase,purchases,"
     "start,end,signed_usd,paid_usd,covered_mean_usd,used_mean_usd,unused_mean_usd,later_mean_usd,"
     "covered_plan_usd,used_plan_usd,unused_plan_usd,later_plan_usd,utilisation_mean_frac,"
     "utilisation_p10_frac,utilisation_p90_frac,utilisation_plan_frac,coverage_mean_frac,"
     "coverage_p10_frac,coverage_p90_frac,coverage_plan_frac,covered_h_mean,unused_per_hour_usd,"
     "unused_over_10_frac,unused_over_25_frac,unused_over_50_frac,censored,"},
    {"split", "strategy,by,tag,part,value,cost_mean_usd,cost_plan_usd,cost_p10_usd,cost_p90_usd,"
              "censored,"},
    {"commitment_levels",
     "strategy,level_frac,instances,hourly_usd,committed_per_hour_usd,signed_usd,n,censored,"
     "cost_mean_usd,cost_low_usd,cost_high_usd,cost_p10_usd,cost_p50_usd,cost_p90_usd,"
     "unused_mean_frac,coverage_mean_frac,saving_mean_usd,saving_low_usd,saving_high_usd,"
     "over_signed_mean_usd,over_signed_low_usd,over_signed_high_usd,"},
    {"oracle", "strategy,workload,n,worlds,oracle_mean_usd,nodes_mean_usd,regret_mean_usd,"
               "regret_p90_usd,regret_frac,"},
    {"break_even", "instance_type,way,term_years,payment,basis,fixed,signed,per_hour_usd,"
                   "break_even_frac,break_even_spot_frac,"},
    {"market", "replication,zone,instance_type,nodes,time,start_s,end_s,price_usd,capacity_nodes,"
               "lost_nodes,"},
    {"survival",
     "zone,instance_type,nodes,curve,hours,survival_frac,low_frac,high_frac,runs,ended,"},
    {"plan_world", "strategy,workload,replication,time,start_s,end_s,what,purchase,zone,nodes,"
                   "left_out,"},
    {"jobs",
     "strategy,workload,replication,job,name,row,attempt,submitted,started,ended,submitted_s,"
     "started_s,ended_s,wait_s,nodes,node_share_frac,zone,purchase,outcome,node_s,useful_s,"
     "lost_s,cost_usd,"},
    {"utilisation", "strategy,workload,replication,start,start_s,end_s,capacity_nodes,"
                    "base_held_nodes,base_busy_nodes,utilisation_frac,overflow_busy_nodes,"
                    "running_jobs,waiting_jobs,"},
    {"services", "strategy,workload,replication,start,start_s,end_s,arrival_rate,served_rate,"
                 "could_serve_rate,ready_replicas,asked_replicas,busy_frac,waiting_requests,"
                 "latency_p50_s,latency_p95_s,slo_s,slo_attained_frac,arrived,retried,served,"
                 "dropped,timed_out,lost,rejected,overloaded,latency_p90_s,latency_p99_s,"
                 "ttft_p50_s,ttft_p90_s,ttft_p95_s,ttft_p99_s,tpot_p50_s,tpot_p90_s,tpot_p95_s,"
                 "tpot_p99_s,gpu_active_frac,kv_cache_frac,gpu_memory_frac,prompt_tokens,"
                 "output_tokens,spend_usd,slo_ttft_s,slo_tpot_s,"},
    {"service_hours", "strategy,workload,by,start,start_s,end_s,hour_of_week,"
                      "slo_attained_mean_frac,slo_attained_p10_frac,slo_attained_p50_frac,"
                      "slo_attained_p90_frac,overloaded_frac,slo_met_frac,ended_per_hour_mean,"
                      "hours,"},
    {"hour_of_week", "strategy,replication,hour_of_week,hours,nodes_mean,spend_mean_usd,"},
    {"sensitivity",
     "strategy,metric,metric_unit,input,input_unit,n,rank_correlation,rank_correlation_low,"
     "rank_correlation_high,input_p10,input_p50,input_p90,metric_when_low,metric_when_high,"
     "metric_p50,censored,"},
    {"information", "input,metric,unit,value,value_low,value_high,worlds,strategies,"},
    {"thresholds", "input,unit,now,chosen,other,threshold,threshold_low,threshold_high,direction,"
                   "from,to,objective,sentence,worlds,"},
    {"candidates",
     "plan,status,parameters,rounds,worlds,objective,objective_unit,value,value_low,"
     "value_high,unfinished_frac,meets_limits,plan_cost_usd,time_to_train_h,fresh_worlds,"
     "fresh_value,fresh_low,fresh_high,difference,difference_error,front,reason,"},
    {"front", "plan,status,parameters,meets_limits,worlds,cost,plan_cost_usd,cost_low_usd,"
              "cost_high_usd,time,time_to_train_h,time_low_h,time_high_h,"},
    {"choice",
     "strategy,status,rank,objective,unit,value,value_low,value_high,difference,difference_low,"
     "difference_high,fresh_worlds,fresh_value,fresh_low,fresh_high,fresh_difference,"
     "fresh_difference_low,fresh_difference_high,limit,limit_value,limit_bound,reason,"},
    {"limits", "strategy,limit,status,unit,value,value_low,value_high,bound,sentence,"},
    {"usage", "strategy,workload,replication,zone,instance_type,purchase,slot,launch,start,end,"
              "start_s,end_s,useful_s,checkpoint_s,restore_s,boot_s,lost_s,waiting_s,end_reason,"
              "free,cost_usd,"},
    {"replications", "strategy,workload,replication,cost_usd,cash_usd,amortised_usd,obligation_usd,"
                     "on_demand_cost_usd,spot_cost_usd,time_to_train_h,finished,late,over_budget,"
                     "interruptions,launches,losses,restarts,switches,checkpoints,useful_node_h,"
                     "checkpoint_node_h,restore_node_h,boot_node_h,lost_node_h,waiting_node_h,"
                     "all_node_h,spot_node_h,free_node_h,idle_h,goodput_frac,"},
};
enum { RELEASED = sizeof released / sizeof released[0] };

static void columns_are_only_appended(void **state)
{
    const struct released *r = *state;
    struct arena *a = arena_new(0);
    struct result_table_layout l;
    struct text names;
    text_init(&names, 0);
    assert_true(result_table_layout(r->name, "USD", a, &l));
    assert_string_equal(l.name, r->name);
    for (size_t i = 0; i < l.count; i++) {
        text_format(&names, "%s,", l.columns[i].name);
    }
    if (strncmp(names.data, r->columns, strlen(r->columns)) != 0) {
        fail_msg("%s.csv began with\n%s\nand begins now with\n%s", r->name, r->columns, names.data);
    }
    text_release(&names);
    arena_free(a);
}

static void every_file_is_listed_once(void **state)
{
    (void)state;
    size_t count = 0;
    for (; result_layout_name(count) != NULL; count++) {
        bool known = false;
        for (size_t i = 0; i < RELEASED; i++) {
            known = known || strcmp(released[i].name, result_layout_name(count)) == 0;
        }
        assert_true(known);
    }
    assert_int_equal(count, RELEASED);
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* A name says its unit, money is exact where a plan world is told, and all have a meaning. */
static void names_units_and_meanings_agree(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    for (size_t i = 0; i < RELEASED; i++) {
        struct result_table_layout l;
        assert_true(result_table_layout(released[i].name, "CNY", a, &l));
        for (size_t c = 0; c < l.count; c++) {
            const struct column *one = &l.columns[c];
            assert_true(strlen(one->meaning) > 0);
            assert_null(strstr(one->meaning, "CUR"));
            assert_null(strstr(one->name, "CUR"));
            assert_int_equal(ends_with(one->name, "_cny"), strcmp(one->unit, "cny") == 0);
            assert_int_equal(ends_with(one->name, "_frac"), strcmp(one->unit, "frac") == 0);
            assert_int_equal(ends_with(one->name, "_s") && !ends_with(one->name, "_per_s"),
                             strcmp(one->unit, "s") == 0);
            if (strstr(one->name, "cost_plan_") != NULL || strcmp(one->name, "cost_cny") == 0) {
                assert_int_equal(one->kind, COLUMN_MONEY);
            }
            for (size_t k = 0; k < c; k++) {
                assert_string_not_equal(one->name, l.columns[k].name);
            }
        }
    }
    arena_free(a);
}

static void an_unknown_file_has_no_layout(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    struct result_table_layout l;
    assert_false(result_table_layout("summary.csv", "USD", a, &l));
    assert_false(result_table_layout("", "USD", a, &l));
    arena_free(a);
}

static void without_memory_there_is_no_layout(void **state)
{
    (void)state;
    size_t failures = 0;
    bool done = false;
    for (size_t limit = 1; !done && limit < 65536; limit += 16) {
        struct arena *a = arena_new(limit);
        struct result_table_layout l;
        done = result_table_layout("replications", "USD", a, &l);
        failures += !done;
        arena_free(a);
    }
    assert_true(done);
    assert_true(failures > 10);
}

int main(void)
{
    const struct CMUnitTest own[] = {
        cmocka_unit_test(every_file_is_listed_once),
        cmocka_unit_test(names_units_and_meanings_agree),
        cmocka_unit_test(an_unknown_file_has_no_layout),
        cmocka_unit_test(without_memory_there_is_no_layout),
    };
    struct CMUnitTest tests[sizeof own / sizeof own[0] + RELEASED];
    size_t n = sizeof own / sizeof own[0];
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < RELEASED; i++) {
        tests[n++] = (struct CMUnitTest){.name = released[i].name,
                                         .test_func = columns_are_only_appended,
                                         .initial_state = (void *)(uintptr_t)&released[i]};
    }
    return _cmocka_run_group_tests("result_layouts", tests, n, NULL, NULL);
}
