"""What figures are written as: confidence intervals, plots, Parquet files."""
