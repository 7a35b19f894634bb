import { noun } from '../../../cli/command.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { status } from './status.ts';

/** `cluster auth` */
export const auth = noun({
  summary: 'Sign in to the cluster with OAuth tokens (sasl.mechanism=OAUTHBEARER)',
  commands: { login, logout, status },
});
