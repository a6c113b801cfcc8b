import { confirm, input, password, select } from '@inquirer/prompts'
import type { Resources } from '../../bootstrap/resources.ts'
import type { Config } from '../../config/config.ts'
import type { Environment } from '../../config/env.ts'
import { QuerentError } from '../../domain/errors.ts'
import { initCopy } from '../copy/init.ts'
import { screenOf, type Terminal } from '../terminal.ts'

/** One option of a choice. */
interface PromptChoice<Value extends string> {
  readonly value: Value
  readonly name: string
  /** A line below the choices, while this one is selected. */
  readonly description?: string
}

/** Asks the person at the terminal. All functions reject with `QuerentError('cancelled')` at Ctrl-C. */
interface Prompts {
  /** Asks for text. `shown` changes how it is displayed, to hide a password in it. */
  text(question: {
    readonly message: string
    readonly suggestion?: string
    readonly validate?: (value: string) => true | string
    readonly shown?: (value: string) => string
  }): Promise<string>
  /** Asks for text that is not displayed. */
  secret(question: {
    readonly message: string
    readonly validate?: (value: string) => true | string
  }): Promise<string>
  choose<const Value extends string>(question: {
    readonly message: string
    readonly choices: readonly PromptChoice<Value>[]
    readonly suggestion?: NoInfer<Value>
  }): Promise<Value>
  agree(question: { readonly message: string; readonly suggestion: boolean }): Promise<boolean>
}

/** Makes prompts for a terminal. */
export const makePrompts = (terminal: Pick<Terminal, 'input' | 'err'>, signal: AbortSignal): Prompts => {
  const ask = async <T>(
    prompt: (place: {
      input: NodeJS.ReadableStream
      output: NodeJS.WritableStream
      signal: AbortSignal
    }) => Promise<T>,
  ): Promise<T> => {
    // Ctrl-D would close the input without ending the prompt, so it stops like Ctrl-C.
    const leaving = new AbortController()
    const onKey = (
      _: unknown,
      key: { readonly ctrl?: boolean; readonly name?: string } | undefined,
    ): void => {
      if (key?.ctrl && key.name === 'd') leaving.abort()
    }
    terminal.input.on('keypress', onKey)
    try {
      return await prompt({
        input: terminal.input,
        output: screenOf(terminal),
        signal: AbortSignal.any([signal, leaving.signal]),
      })
    } catch (error) {
      if (error instanceof Error && cancelErrorNames.has(error.name))
        throw new QuerentError('cancelled', initCopy.stopped, { cause: error })
      throw error
    } finally {
      terminal.input.off('keypress', onKey)
    }
  }
  return {
    text: ({ message, suggestion, validate, shown }) =>
      ask(place =>
        input(
          {
            message,
            ...(suggestion !== undefined && { default: suggestion }),
            ...(validate && { validate: value => validate(value.trim()) }),
            ...(shown && { transformer: value => shown(value) }),
          },
          place,
        ),
      ).then(value => value.trim()),
    secret: ({ message, validate }) =>
      ask(place =>
        password(
          { message, mask: '*', ...(validate && { validate: value => validate(value.trim()) }) },
          place,
        ),
      ).then(value => value.trim()),
    choose: ({ message, choices, suggestion }) =>
      ask(place =>
        select(
          {
            message,
            choices: choices.map(choice => ({ ...choice })),
            loop: false,
            ...(suggestion !== undefined && { default: suggestion }),
          },
          place,
        ),
      ),
    agree: ({ message, suggestion }) => ask(place => confirm({ message, default: suggestion }, place)),
  }
}

/** Errors of prompts that were stopped. */
const cancelErrorNames = new Set(['ExitPromptError', 'AbortPromptError', 'CancelPromptError'])

/** The options of `init`. */
export interface InitOptions {
  readonly database?: string
  readonly databaseFromEnv?: string
  readonly name?: string
  readonly description?: string
  readonly replace?: boolean
  readonly slack?: string
  readonly url?: string
  readonly yes?: boolean
  readonly json?: boolean
}

/** The current configuration, and the resources opened with it. */
export interface LoadedSetup {
  readonly config: Config
  readonly resources: Resources
}

/** What every step of `init` gets. */
export interface InitRun {
  readonly options: InitOptions
  /** Null if `init` must not ask. */
  readonly prompts: Prompts | null
  /** Prints a line, unless the output is JSON. */
  readonly print: (line?: string) => void
  /** Prints a line with its status. */
  readonly mark: (status: 'ok' | 'weak' | 'broken' | 'to do', line: string) => void
  /** The current environment and `.env`. */
  readonly environment: () => Environment
  readonly setup: () => LoadedSetup
  /** Reads the configuration again, after a step has changed it. */
  readonly reload: () => LoadedSetup
  readonly now: Date
  readonly signal: AbortSignal
  readonly clearProgress: () => void
}

/** An error for a wrong or missing flag. Exit status 2. */
export const flagError = (message: string): QuerentError => new QuerentError('bad-arguments', message)

/** True if a person can correct the cause of an error, so that the step can ask again. */
export const isCorrectable = (error: unknown): error is QuerentError =>
  error instanceof QuerentError && error.code !== 'cancelled' && error.code !== 'internal'
