import { describeTranscripts } from './all-of.ts';

describeTranscripts('debug', [
  'debug remote-bundle cancel',
  'debug remote-bundle download',
  'debug remote-bundle start',
  'debug remote-bundle status',
]);
