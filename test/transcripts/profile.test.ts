import { describeTranscripts } from './all-of.ts';

describeTranscripts('profile', [
  'profile clear',
  'profile create',
  'profile current',
  'profile delete',
  'profile describe',
  'profile edit',
  'profile list',
  'profile print',
  'profile prompt',
  'profile rename-to',
  'profile set',
  'profile unset',
  'profile use',
  'profile validate',
]);
