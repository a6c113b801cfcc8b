import type { Simulator } from '../../simulator/simulator.ts'
import { type SimulatorOptions, startSimulator } from '../../simulator/start-simulator.ts'

/** A simulator that ends with the test, in which retries come at once. */
export const startTestSimulator = async (
  options: Partial<SimulatorOptions> = {},
): Promise<Simulator & AsyncDisposable> => {
  const simulator = await startSimulator({
    ...options,
    timing: { retryAfter: [0, 5, 10], ...options.timing },
  })
  return { ...simulator, [Symbol.asyncDispose]: simulator.close }
}
