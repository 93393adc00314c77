export { type MessageRule, messageRules } from './messages-stream/rules.ts';
export { checkedMessages, readMessages } from './messages-stream/checked-messages.ts';
export { MessageChecker, type MessageEvent } from './messages-stream/message-checker.ts';
