import { QuerentError } from '../domain/errors.ts'
import { CallFailure } from './call-failure.ts'

/** Lets conversations with one model at one endpoint begin. */
export interface ModelGate {
  /**
   * Runs one conversation when it is its turn. Until the model has answered once, one conversation at a time probes it;
   * then at most `parallel` run together. Rejects if the signal fires before its turn, or with the failure of another
   * conversation if that shows that the model cannot be asked at all.
   */
  readonly run: <T>(
    work: () => Promise<T>,
    options: { readonly parallel: number; readonly signal?: AbortSignal },
  ) => Promise<T>
}

interface Waiting {
  readonly parallel: number
  readonly begin: () => void
  readonly fail: (error: unknown) => void
}

/** Makes a closed gate: the first conversation probes. */
export const makeModelGate = (): ModelGate => {
  let isOpen = false
  let running = 0
  let queue: readonly Waiting[] = []

  const hasRoom = (parallel: number): boolean => running < (isOpen ? parallel : 1)
  const beginNext = (): void => {
    const [first, ...others] = queue
    if (first === undefined || !hasRoom(first.parallel)) return
    queue = others
    running += 1
    first.begin()
    beginNext()
  }
  const waitForTurn = (parallel: number, signal?: AbortSignal): Promise<void> => {
    const turn = Promise.withResolvers<void>()
    const leave = (): void => {
      queue = queue.filter(one => one !== waiting)
      turn.reject(stopped(signal))
    }
    const stopListening = (): void => signal?.removeEventListener('abort', leave)
    const waiting: Waiting = {
      parallel,
      begin: () => {
        stopListening()
        turn.resolve()
      },
      fail: error => {
        stopListening()
        turn.reject(error)
      },
    }
    signal?.addEventListener('abort', leave, { once: true })
    queue = [...queue, waiting]
    return turn.promise
  }

  return {
    run: async (work, { parallel, signal }) => {
      if (signal?.aborted) throw stopped(signal)
      if (queue.length === 0 && hasRoom(parallel)) running += 1
      else await waitForTurn(parallel, signal)
      try {
        const result = await work()
        isOpen = true
        return result
      } catch (error) {
        const outcome = outcomeOf(error)
        if (outcome === 'answered') isOpen = true
        if (outcome === 'hopeless') {
          const waiting = queue
          queue = []
          for (const { fail } of waiting) fail(error)
        }
        throw error
      } finally {
        running -= 1
        beginNext()
      }
    },
  }
}

const stopped = (signal?: AbortSignal): QuerentError =>
  new QuerentError('cancelled', 'The question was stopped.', { cause: signal?.reason })

/**
 * What a conversation that failed says about the model. `answered`: others need not wait for it any longer, because it
 * replied, though with nothing usable, or is too slow to be asked one by one. `hopeless`: no other request can succeed.
 */
const outcomeOf = (error: unknown): 'answered' | 'hopeless' | 'unknown' => {
  if (!(error instanceof QuerentError) || error.code !== 'model-failed') return 'unknown'
  if (!(error.cause instanceof CallFailure)) return 'answered'
  if (isHopeless(error.cause)) return 'hopeless'
  return error.cause.facts.kind === 'timed-out' ? 'answered' : 'unknown'
}

const hopelessCodes = new Set(['invalid_api_key', 'model_not_found', 'DeploymentNotFound'])

/** A rejection of one prompt by a filter comes as 403 from some gateways. */
const isAboutPrompt = /\bmoderation\b|\bflagged\b|content[ _](filter|policy)/i

/** Whether a failure is the same for every request: the key, the account or the name of the model is wrong. */
const isHopeless = ({ facts, said }: CallFailure): boolean => {
  const { kind, status, code } = facts
  if (kind === 'quota-spent') return true
  if (kind !== 'rejected') return false
  if (hopelessCodes.has(code ?? '') || /\binvalid model name\b/i.test(said)) return true
  return status === 401 || status === 404 || (status === 403 && !isAboutPrompt.test(said))
}
