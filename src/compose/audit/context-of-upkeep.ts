import type { RunContext } from '../../core/run-context.ts'

/** The context of what is run for no question: by `person`, where somebody told it to. */
export const maintenanceRunContext = (
  origin: Extract<RunContext['origin'], 'verified' | 'index' | 'command'>,
  person: string | null,
): RunContext => ({
  origin,
  person,
  team: null,
  channel: null,
  questionId: null,
  digestId: null,
})
