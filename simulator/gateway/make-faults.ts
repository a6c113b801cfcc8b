import { type FaultKind, type FaultPlan, makeDrawFault } from './draw-fault.ts'

/** A fault for the next `times` calls of a method; `*` is any method. */
export type Fault = { readonly method: string; readonly times: number } & FaultKind

/** Faults that wait to be played. */
export interface Faults {
  /** Replaces those that wait. */
  set(faults: readonly Fault[]): void
  /** Random faults, besides those that were set; null for none. */
  plan(plan: FaultPlan | null): void
  /** The fault of this call, if any; each is used up after its number of calls. */
  next(method: string): FaultKind | null
}

export const makeFaults = (): Faults => {
  let waiting: { readonly fault: Fault; left: number }[] = []
  let drawFault: ((method: string) => FaultKind | null) | null = null
  return {
    plan: plan => {
      drawFault = plan && makeDrawFault(plan)
    },
    set: faults => {
      waiting = faults.map(fault => ({ fault, left: fault.times }))
    },
    next: method => {
      const found = waiting.find(
        ({ fault, left }) => left > 0 && (fault.method === method || fault.method === '*'),
      )
      if (!found) return drawFault?.(method) ?? null
      found.left -= 1
      return found.fault
    },
  }
}
