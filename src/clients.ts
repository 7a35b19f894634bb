import type { Admin } from './admin/admin.ts';
import { adminOptions } from './client-options/admin.ts';
import { cloudOptions } from './client-options/cloud.ts';
import { kafkaOptions, userWithoutPassword } from './client-options/kafka.ts';
import { registryOptions } from './client-options/registry.ts';
import type { Cloud } from './cloud/cloud.ts';
import type { Config } from './config/config.ts';
import type { Context, ContextParts } from './context.ts';
import type { Deadline } from './deadline.ts';
import type { Kafka } from './kafka/kafka.ts';
import { once } from './once.ts';
import type { Registry } from './registry/registry.ts';

/** The clients of a command, each opened on first use. */
export interface Clients extends Pick<Context, 'kafka' | 'admin' | 'registry' | 'cloud' | 'checkup'> {
  /** Closes those that were opened, the last one first. */
  close(): Promise<void>;
}

/** Creates the clients without opening one. */
export function openClients(
  parts: ContextParts,
  config: () => Promise<Config>,
  deadline: () => Promise<Deadline>,
): Clients {
  const trace = parts.trace && { trace: parts.trace };
  const closers: (() => unknown)[] = [];
  const keep = <T extends Kafka | Admin | Registry | Cloud>(opened: T): T => {
    closers.push(() => opened.close());
    return opened;
  };
  const typedPassword = once(async () => {
    const user = userWithoutPassword(await config());
    return user === undefined ? undefined : await parts.askPassword?.(`password of user "${user}"`);
  });
  const optionsOfKafka = once(async () => ({
    ...kafkaOptions(await config(), await deadline(), parts.host, await typedPassword()),
    ...trace,
    warn: parts.messages.warn,
  }));
  const httpApi = async () => {
    const resolved = await config();
    return { parts, config: resolved, deadline: await deadline(), typed: await typedPassword() };
  };
  const openCloud = async (limits: Deadline) => {
    const options = cloudOptions(parts, await config(), limits);
    return keep((await import('./cloud/open.ts')).openCloud({ ...options, ...trace }));
  };
  return {
    kafka: once(async () => {
      const options = await optionsOfKafka();
      return keep((await import('./kafka/open.ts')).openKafka(options));
    }),
    admin: once(async () => {
      const options = adminOptions(await httpApi());
      return keep((await import('./admin/open.ts')).openAdmin({ ...options, ...trace }));
    }),
    registry: once(async () => {
      const options = registryOptions(await httpApi());
      return keep((await import('./registry/open.ts')).openRegistry({ ...options, ...trace }));
    }),
    cloud: once(async () => openCloud(await deadline())),
    async checkup() {
      const [{ checkAll }, { doctorOptions }] = await Promise.all([
        import('./doctor/doctor.ts'),
        import('./client-options/doctor.ts'),
      ]);
      const resolved = await config();
      return checkAll(
        doctorOptions({ parts, config: resolved, deadline: await deadline(), kafka: optionsOfKafka, openCloud }),
      );
    },
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}
