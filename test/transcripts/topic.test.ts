import '../services/services.ts';
import { describeTranscripts } from './all-of.ts';

describeTranscripts('topic');
