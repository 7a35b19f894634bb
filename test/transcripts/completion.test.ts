import { describeTranscripts } from './all-of.ts';

describeTranscripts('completion', ['completion bash', 'completion fish', 'completion zsh']);
