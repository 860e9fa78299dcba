/** The grammar of fault rules and forced errors as types, so that editors complete their words. */
import type { ErrorCode } from '#contract/errors.ts'
import type { CodeOf, OperationId } from '#contract/operation.ts'
import type { StatusCodes, Wire } from './fault-words.ts'
import type { Instruction } from './instruction.ts'

type Status = `${keyof StatusCodes}`
type StatusOf<C> = { [S in keyof StatusCodes]: StatusCodes[S] extends C ? `${S}` : never }[keyof StatusCodes]
type ForcedOn<O extends OperationId> = `${CodeOf<O> | StatusOf<CodeOf<O>>}@${O}`

/** A forced error: `CODE`, or `CODE@OPERATION` for an operation that can return it. A status stands for its code. */
export type ForcedError = ErrorCode | Status | { [O in OperationId]: ForcedOn<O> }[OperationId]

/** The first word of a fault. */
export type FaultWord = ErrorCode | Status | Wire | 'lost' | Exclude<Instruction['kind'], 'error' | 'wire'>

type FaultList = FaultWord | `${FaultWord}${' ' | ',' | ';'}${string}`

/** A fault rule as text: `[OPERATION=]FAULT,…[;times=N]…`. The types check the operation and the first word. */
export type FaultRuleText = FaultList | `${OperationId}=${FaultList}`
