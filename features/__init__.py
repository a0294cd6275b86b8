"""The measures and the models behind them: texts in, arrays out."""
