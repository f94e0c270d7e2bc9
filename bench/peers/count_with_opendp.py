"""Counts of taps with OpenDP on Polars: python count_with_opendp.py SOURCE EPSILON DELTA ROWS_OF_A_UNIT OUTPUT."""

import json
import resource
import sys
import time

start = time.perf_counter()
import opendp.prelude as dp
import polars as pl

dp.enable_features("contrib")
source, epsilon, delta, rows, output = sys.argv[1:]
trips = pl.scan_parquet(source + "/*.parquet")
taps = pl.concat(
    [
        trips.select(
            "mode",
            pl.lit(end).alias("tap"),
            pl.col(end + "_time").dt.truncate("15m").alias("time"),
            pl.col(end + "_stop").alias("stop"),
        ).drop_nulls()
        for end in ("on", "off")
    ]
)
context = dp.Context.compositor(
    data=taps,
    privacy_unit=dp.unit_of(contributions=int(rows)),
    privacy_loss=dp.loss_of(epsilon=float(epsilon), delta=float(delta)),
    split_evenly_over=1,
)
query = context.query().group_by(["mode", "tap", "time", "stop"]).agg(dp.len().alias("count"))
counts = query.release().collect()
seconds = time.perf_counter() - start
mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
day, clock = pl.col("time").dt.strftime("%Y%m%d").alias("date"), pl.col("time").dt.strftime("%H:%M").alias("time")
counts.select("mode", day, "tap", clock, pl.col("stop").alias("loc"), "count").write_csv(output)
print(json.dumps({"seconds": seconds, "mib": mib}))
