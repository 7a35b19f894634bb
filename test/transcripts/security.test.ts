import { describeTranscripts } from './all-of.ts';

describeTranscripts('security', [
  'security acl create',
  'security acl delete',
  'security acl explain',
  'security acl list',
  'security role assign',
  'security role create',
  'security role delete',
  'security role describe',
  'security role list',
  'security role unassign',
  'security user create',
  'security user delete',
  'security user list',
  'security user update',
]);
