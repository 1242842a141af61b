"""Everything that speaks to a vendor: databases, indexes, readers, models; one folder per port."""
