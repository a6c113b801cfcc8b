import type { ModelRequest } from '../core/model.ts'
import { blankSecrets } from './blank-secrets.ts'
import type { AskedExchange } from './recorded-exchange.ts'
import { type ModelTasks, settingsFor } from './tasks.ts'

/** Where exchanges are kept, and what must not be in them. */
export interface Recording {
  readonly folder: string
  readonly tasks: ModelTasks
  /** Blanked wherever they stand, in requests and replies. */
  readonly secrets: readonly string[]
}

/** A request as it is kept: the model of its role by name, secrets blanked. */
export const askedOf = (request: ModelRequest, { tasks, secrets }: Recording): AskedExchange => ({
  role: request.role,
  prompt: request.prompt,
  model: settingsFor(tasks, request.role, request.model).model,
  variables: Object.fromEntries(
    Object.entries(request.variables).map(([name, text]) => [name, blankSecrets(text, secrets)]),
  ),
})
