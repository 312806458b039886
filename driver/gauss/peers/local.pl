# The article's program A: COUNT MEAN SD DIF SEED, in this process.
print timed_dev(@ARGV);
