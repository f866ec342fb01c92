"""What a run, an RMF page, a control program or an ENQ page says."""
