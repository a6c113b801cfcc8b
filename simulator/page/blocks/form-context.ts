import { createContext } from 'react'
import type { FormValues } from '../../shapes/interaction.ts'

/** What is filled into the modal around; null outside of one. */
interface Form {
  readonly values: FormValues
  readonly errors: Readonly<Record<string, string>>
  change(blockId: string, value: string | readonly string[]): void
}

export const FormContext = createContext<Form | null>(null)
