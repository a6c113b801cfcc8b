/** A UUID, as part of a regular expression. */
export const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const uuid = new RegExp(`^${uuidPattern}$`, 'i')

/** Whether a text is a UUID. Postgres rejects any other text as the id of a row, though it merely names none. */
export const isUuid = (text: string): boolean => uuid.test(text)
