import type { SimulatedClient, World } from '../world.ts';

/** Checks that no timers and links are left and that no client has violated a rule. */
export function checkLeftovers(
  { network, breaches }: World,
  clients: readonly SimulatedClient[],
  failures: string[],
): void {
  for (const { name, timersLeft } of clients) {
    if (timersLeft > 0) failures.push(`${name} left ${timersLeft} timers behind`);
  }
  if (network.open > 0) failures.push(`${network.open} links are left open`);
  failures.push(...network.breaches, ...breaches);
}
