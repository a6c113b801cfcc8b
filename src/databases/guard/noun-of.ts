/**
 * A node's name in words that a person knows from SQL: `InsertStmt`, `insert` and `create_table` become `an INSERT`
 * and `a CREATE TABLE`. `written` is used where the parser's name says nothing.
 */
export const describeNode = (name: string, written: string): string => {
  const words = nodeNouns[name] ?? (unnamedNodes.has(name) ? written.toUpperCase() : splitCamelCase(name))
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`
}

const splitCamelCase = (name: string): string =>
  name
    .replace(/(?:Stmt|_statement|_stmt)$/, '')
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .replaceAll('_', ' ')
    .toUpperCase()

/** Kinds under which polyglot files whatever it has no kind for. */
const unnamedNodes = new Set(['command', 'raw', 'column', 'alias', 'function', 'describe', 'annotated'])

const nodeNouns: Readonly<Record<string, string>> = {
  ClosePortalStmt: 'CLOSE',
  CreateStmt: 'CREATE TABLE',
  CreatedbStmt: 'CREATE DATABASE',
  CreateTableAsStmt: 'CREATE TABLE AS',
  DeclareCursorStmt: 'DECLARE CURSOR',
  DropdbStmt: 'DROP DATABASE',
  IndexStmt: 'CREATE INDEX',
  ParamRef: 'placeholder ($1)',
  RangeTableFunc: 'XMLTABLE',
  RuleStmt: 'CREATE RULE',
  TransactionStmt: 'transaction command',
  VariableSetStmt: 'SET',
  VariableShowStmt: 'SHOW',
  ViewStmt: 'CREATE VIEW',
  XmlExpr: 'XML expression',
  XmlSerialize: 'XML expression',
  next_value_for: 'NEXT VALUE FOR (a sequence)',
  parameter: 'placeholder or variable',
  placeholder: 'placeholder',
  property_e_q: 'assignment (:=)',
  session_parameter: 'server variable',
}
