import { describeTranscripts } from './all-of.ts';

describeTranscripts('shadow');
