import { noun } from '../../../cli/command.ts';
import { balance } from './balance.ts';
import { balancerStatus } from './balancer-status.ts';
import { disable } from './disable.ts';
import { enable } from './enable.ts';
import { list } from './list.ts';
import { move } from './move.ts';
import { moveCancel } from './move-cancel.ts';
import { moveStatus } from './move-status.ts';
import { transferLeadership } from './transfer-leadership.ts';
import { unsafeRecover } from './unsafe-recover.ts';

/** `cluster partitions` */
export const partitions = noun({
  summary: 'List, move, balance, disable and recover partitions; transfer their leadership',
  commands: {
    list,
    move,
    'move-status': moveStatus,
    'move-cancel': moveCancel,
    enable,
    disable,
    balance,
    'balancer-status': balancerStatus,
    'transfer-leadership': transferLeadership,
    'unsafe-recover': unsafeRecover,
  },
});
