"""Counts of taps with Tumult Analytics: python count_with_tumult.py SOURCE EPSILON DELTA ROWS_OF_A_UNIT OUTPUT. Half of ε is for the groups."""

import json
import os
import resource
import sys
import time

start = time.perf_counter()
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from tmlt.analytics import AddMaxRows, ApproxDPBudget, KeySet, QueryBuilder, Session

# Spark starts Python anew, which has to be this one.
os.environ["PYSPARK_PYTHON"] = sys.executable
source, epsilon, delta, rows, output = sys.argv[1:]
settings = {"spark.driver.memory": "6g", "spark.sql.shuffle.partitions": "8", "spark.ui.enabled": "false"}
builder = SparkSession.builder.master("local[2]")
for name, value in settings.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
trips = spark.read.parquet(source)


def taps_of(end):
    begins = F.window(F.col(end + "_time"), "15 minutes").start
    return trips.select(
        "mode",
        F.lit(end).alias("tap"),
        F.date_format(begins, "yyyyMMdd").alias("date"),
        F.date_format(begins, "HH:mm").alias("time"),
        F.col(end + "_stop").alias("loc"),
    ).dropna()


taps = taps_of("on").union(taps_of("off"))
session = Session.from_dataframe(
    ApproxDPBudget(float(epsilon), float(delta)), "taps", taps, protected_change=AddMaxRows(int(rows))
)
groups = QueryBuilder("taps").get_groups(["mode", "date", "tap", "time", "loc"])
keys = session.evaluate(groups, ApproxDPBudget(float(epsilon) / 2, float(delta))).cache()
query = QueryBuilder("taps").groupby(KeySet.from_dataframe(keys)).count(name="count")
counts = session.evaluate(query, ApproxDPBudget(float(epsilon) / 2, 0)).toPandas()
seconds = time.perf_counter() - start


def peak_of(pid):
    with open(f"/proc/{pid}/status") as lines:
        fields = dict(line.split(":", 1) for line in lines)
    return int(fields["VmHWM"].split()[0])


# Java runs in a process of its own.
children = open(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read().split()
mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + sum(peak_of(child) for child in children)) / 1024
counts[["mode", "date", "tap", "time", "loc", "count"]].to_csv(output, index=False)
print(json.dumps({"seconds": seconds, "mib": mib}))
