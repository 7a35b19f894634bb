import { describeTranscripts } from './all-of.ts';

describeTranscripts('transform', [
  'transform build',
  'transform delete',
  'transform deploy',
  'transform init',
  'transform list',
  'transform logs',
  'transform pause',
  'transform resume',
]);
