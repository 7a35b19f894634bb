import { describeTranscripts } from './all-of.ts';

describeTranscripts('registry', [
  'registry compatibility-level get',
  'registry compatibility-level reset',
  'registry compatibility-level set',
  'registry context list',
  'registry mode get',
  'registry mode reset',
  'registry mode set',
  'registry schema check-compatibility',
  'registry schema create',
  'registry schema delete',
  'registry schema diff',
  'registry schema example',
  'registry schema get',
  'registry schema list',
  'registry schema references',
  'registry subject delete',
  'registry subject list',
]);
