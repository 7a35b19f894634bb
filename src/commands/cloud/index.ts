import { noun } from '../../cli/command.ts';
import { auth } from './auth/index.ts';
import { byoc } from './byoc/index.ts';
import { cluster } from './cluster/index.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { network } from './network.ts';
import { operation } from './operation/index.ts';
import { region } from './region.ts';
import { resourceGroup } from './resource-group.ts';
import { resume } from './resume.ts';
import { roleBinding } from './role-binding.ts';
import { serviceAccount } from './service-account.ts';
import { user } from './user.ts';

/** `cloud` */
export const cloud = noun({
  summary: 'Manage cloud clusters through the control plane',
  groups: {
    Login: { login, logout, auth },
    Clusters: { cluster, network, region, 'resource-group': resourceGroup, operation, resume, byoc },
    Access: { user, 'service-account': serviceAccount, 'role-binding': roleBinding },
  },
});
