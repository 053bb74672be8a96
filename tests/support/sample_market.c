/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/sample_market.h"

struct table *sample_market_table(void)
{
    return text_table("market", SAMPLE_MARKET_COLUMNS,
                      "4,us-east-1a,p4d.24xlarge,4,0,3600,10.5,4,0\n"
                      "4,us-east-1a,p4d.24xlarge,4,3600,7200,10.5,1,3\n"
                      "4,us-east-1a,p4d.24xlarge,4,7200,90000,11,4,0\n"
                      "4,us-east-1a,p4d.24xlarge,4,90000,273600,12,0,4\n"
                      "4,us-east-1b,p4d.24xlarge,4,0,273600,9.5,4,0\n"
                      "9,us-east-1a,p4d.24xlarge,4,0,999000,99,0,0\n");
}

struct table *sample_survival_table(void)
{
    return text_table("survival", SAMPLE_SURVIVAL_COLUMNS,
                      "us-east-1a,p4d.24xlarge,4,simulated,0,1,,,50,49\n"
                      "us-east-1a,p4d.24xlarge,4,simulated,1,0.5,0.4,0.6,50,49\n"
                      "us-east-1a,p4d.24xlarge,4,simulated,10,0.1,0.05,0.2,50,49\n"
                      "us-east-1a,p4d.24xlarge,4,planned,0,1,,,,\n"
                      "us-east-1a,p4d.24xlarge,4,planned,1,0.8,,,,\n"
                      "us-east-1a,p4d.24xlarge,4,planned,10,0.1,,,,\n");
}

struct table *sample_plan_world_table(void)
{
    return text_table(
        "plan_world", SAMPLE_PLAN_WORLD_COLUMNS,
        "on-demand,train,0,0,600,boot,on-demand,us-east-1a,4,0\n"
        "on-demand,train,0,600,208800,work,on-demand,us-east-1a,4,0\n"
        "on-demand,train,0,208800,208800,done,,,,0\n"
        "spot in three zones,train,4,0,1200,idle,,,0,0\n"
        "spot in three zones,train,4,1200,1800,boot,spot,us-east-1b,4,0\n"
        "spot in three zones,train,4,1800,90000,work,spot,us-east-1b,4,0\n"
        "spot in three zones,train,4,50000,50000,checkpoint-written,spot,us-east-1b,,0\n"
        "spot in three zones,train,4,90000,90000,interrupted,spot,us-east-1b,,0\n"
        "spot in three zones,train,4,90000,91800,gather,spot,us-east-1a,2,0\n"
        "spot in three zones,train,4,91800,92400,restore,spot,us-east-1a,4,0\n"
        "spot in three zones,train,4,92400,273600,work,spot,us-east-1a,4,0\n"
        "spot in three zones,train,4,273600,273600,done,,,,0\n");
}

struct table *sample_utilisation_table(void)
{
    return text_table("utilisation", SAMPLE_UTILISATION_COLUMNS,
                      "on-demand,sweep,0,3600,4,4,3,0,0\n"
                      "on-demand,sweep,3600,7200,4,4,4,0,2.4\n"
                      "on-demand,sweep,7200,10800,4,0,0,0,0\n"
                      "on-demand,night,0,3600,1,1,1,0,0\n"
                      "spot in three zones,sweep,0,3600,4,4,3,0,0\n"
                      "spot in three zones,sweep,3600,7200,4,3,2,2,0.5\n"
                      "spot in three zones,sweep,7200,10800,4,3,1,0,0.4\n"
                      "spot in three zones,sweep,10800,14400,4,0,0,0,0\n"
                      "spot in three zones,night,0,3600,1,1,1,0,0\n");
}

struct table *sample_jobs_table(void)
{
    return text_table("jobs", SAMPLE_JOBS_COLUMNS,
                      "on-demand,train,0,job,0,600,208800,on-demand,finished\n"
                      "on-demand,train,0,attempt,0,600,208800,on-demand,finished\n"
                      "spot in three zones,sweep,0,job,0,600,7200,spot,stopped\n"
                      "spot in three zones,sweep,0,attempt,0,600,7200,spot,stopped\n"
                      "spot in three zones,sweep,1,job,0,600,36000,on-demand,finished\n"
                      "spot in three zones,sweep,1,attempt,0,600,18000,spot,lost\n"
                      "spot in three zones,sweep,1,attempt,18000,21600,36000,on-demand,finished\n"
                      "spot in three zones,train,0,job,36000,36600,273600,spot,finished\n"
                      "spot in three zones,train,0,attempt,36000,36600,273600,spot,finished\n");
}

struct table *sample_services_table(void)
{
    return text_table(
        "services", SAMPLE_SERVICES_COLUMNS,
        "spot in three zones,side,0,216000,1,9,0.1,0.2,,216000,0,216000,,,\n"
        "spot in three zones,chat,0,216000,2,9,0.2,0.8,1.5,432000,0,432000,,,216\n"
        "spot in three zones,chat,216000,432000,9,6,4,20,1.5,1944000,1,1296000,,,216\n"
        "spot in three zones,chat,432000,604800,4,,0.2,,1.5,691200,0,691200,,,172.8\n"
        "spot in three zones,chat,604800,777600,1,9,0.2,0.7,1.5,172800,0,172800,,,172.8\n"
        "on-demand,chat,0,216000,2,12,0.2,0.5,1.5,432000,0,432000,,,432\n"
        "on-demand,chat,216000,432000,9,12,0.4,1,1.5,1944000,0,1944000,,,972\n");
}

struct table *sample_service_hours_table(void)
{
    return text_table("service_hours", SAMPLE_SERVICE_HOURS_COLUMNS,
                      "spot in three zones,side,horizon,0,172800,0.1,0.2,0.3,0\n"
                      "spot in three zones,chat,horizon,0,172800,0.99,0.995,1,0\n"
                      "spot in three zones,chat,horizon,172800,345600,0.8617,0.9,0.99,0.5\n"
                      "spot in three zones,chat,horizon,345600,518400,0.98,0.99,1,0.05\n"
                      "spot in three zones,chat,horizon,518400,691200,,,,0\n"
                      "spot in three zones,chat,week,,,0.2,0.3,0.4,1\n"
                      "on-demand,chat,horizon,0,172800,0.999,1,1,0\n");
}

struct table *sample_hour_of_week_table(void)
{
    return text_table("hour_of_week", SAMPLE_HOUR_OF_WEEK_COLUMNS,
                      "on-demand,0,2,9\n"
                      "spot in three zones,0,2,1\n"
                      "spot in three zones,43,2,4\n"
                      "spot in three zones,44,1,1\n");
}

struct table *sample_sensitivity_table(void)
{
    return text_table(
        "sensitivity", SAMPLE_SENSITIVITY_COLUMNS,
        "on-demand,cost_usd,workloads.w.mfu,frac,2000,-0.99,0.35,0.45,3600,3000,3310\n"
        "spot in three zones,cost_usd,workloads.w.mfu,frac,2000,-0.7,0.35,0.45,1950,1400,1650\n"
        "spot in three "
        "zones,cost_usd,market.spot.p4d.us-east-1.score,,2000,-0.4,-1.3,1.3,1900,1700,"
        "1650\n"
        "spot in three zones,cost_usd,workloads.w.boot,s,2000,0.01,60,120,1640,1655,1650\n"
        "spot in three zones,time_to_train_h,workloads.w.boot,s,2000,0.9,60,120,70,80,76\n");
}

struct table *sample_sweep_table(void)
{
    return text_table("sweep",
                      "point,market.spot.x.price:t,strategy:t,workload:t,metric:t,mean,p10,p50,p90,"
                      "p50_low,p50_high",
                      "0,5 USD/h,spot,all,cost_usd,,900,1000,1200,990,1010\n"
                      "0,5 USD/h,spot,all,finished,1,,,,,\n"
                      "0,5 USD/h,on-demand,all,cost_usd,,1900,2000,2100,1990,2010\n"
                      "1,9 USD/h,spot,all,cost_usd,,1600,1800,2100,1790,1810\n"
                      "1,9 USD/h,on-demand,all,cost_usd,,1900,2000,2100,1990,2010\n"
                      "2,20 USD/h,spot,all,cost_usd,,3600,4000,4600,3990,4010\n"
                      "2,20 USD/h,on-demand,all,cost_usd,,1900,2000,2100,1990,2010\n");
}
