import { describeTranscripts } from './all-of.ts';

describeTranscripts('sandbox', [
  'sandbox list',
  'sandbox logs',
  'sandbox purge',
  'sandbox start',
  'sandbox status',
  'sandbox stop',
]);
