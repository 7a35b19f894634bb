import { describeTranscripts } from './all-of.ts';

describeTranscripts('redpanda', [
  'redpanda admin config log-level get',
  'redpanda admin config log-level list',
  'redpanda admin config log-level set',
  'redpanda admin config print',
  'redpanda admin partitions list',
]);
