import { describeTranscripts } from './all-of.ts';

describeTranscripts('config', ['config explain', 'config show']);
