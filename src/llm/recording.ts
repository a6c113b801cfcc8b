import type { ModelRequest } from '../core/model.ts'
import { redactSecrets } from './blank-secrets.ts'
import type { AskedExchange } from './recorded-exchange.ts'
import { type ModelTasks, settingsFor } from './tasks.ts'

/** Where exchanges are kept, and what must not be in them. */
export interface ExchangeFolder {
  readonly folder: string
  readonly tasks: ModelTasks
  /** Blanked wherever they stand, in requests and replies. */
  readonly secrets: readonly string[]
}

/** A request as it is kept: the model of its role by name, secrets blanked. */
export const askedOf = (request: ModelRequest, { tasks, secrets }: ExchangeFolder): AskedExchange => ({
  role: request.role,
  prompt: request.prompt,
  model: settingsFor(tasks, request.role, request.model).model,
  variables: Object.fromEntries(
    Object.entries(request.variables).map(([name, text]) => [name, redactSecrets(text, secrets)]),
  ),
})
