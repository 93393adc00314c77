import { invalidRequest, type Issue, nameIssues, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type {
  ChangeMemberRole,
  DeactivateMember,
  JoinMember,
  MemberCommand,
  ReactivateMember,
} from './commands.ts';
import type { MemberEvent, MemberRole } from './events.ts';
import { isEmail } from './values.ts';
import { evolve, initial, type KnownMember, type Member } from './state.ts';

export type MemberRejection = Rejection<'invalid_request' | 'not_found' | 'conflict'>;
type Decision = readonly MemberEvent[] | MemberRejection;

const idPattern = /^[A-Za-z0-9_-]{1,128}$/;
const nameCharactersMax = 200;
const roles: readonly string[] = ['admin', 'member'] satisfies MemberRole[];

function decide(command: MemberCommand, member: Member): Decision {
  if (command.type === 'JoinMember') return join(command, member);
  if (member.status === 'none')
    return { rejected: 'not_found', message: 'There is no such member' };
  switch (command.type) {
    case 'ChangeMemberRole':
      return changeRole(command, member);
    case 'DeactivateMember':
      return deactivate(command, member);
    case 'ReactivateMember':
      return reactivate(command, member);
  }
}

export const member: Decider<MemberCommand, Member, MemberEvent, MemberRejection> = {
  category: 'member',
  initial,
  evolve,
  decide,
};

function join(command: JoinMember, member: Member): Decision {
  const { accountId, userId, email, firstName, lastName, role, occurredAt } = command;
  const issues = joinIssues(command);
  if (!isRole(role) || issues.length > 0) return invalidRequest(issues);
  if (command.isOwner && role !== 'admin') return ownerStays;
  if (member.status !== 'none') {
    const { joined } = member;
    const same =
      member.status === 'active' &&
      member.role === role &&
      joined.email === email &&
      joined.firstName === firstName &&
      joined.lastName === lastName;
    return same ? [] : conflict('The member exists with other values');
  }
  const data = { accountId, userId, email, firstName, lastName, role, joinedAt: occurredAt };
  return [{ type: 'MemberJoined', data }];
}

function changeRole(command: ChangeMemberRole, member: KnownMember): Decision {
  const { accountId, userId, role, occurredAt } = command;
  if (!isRole(role)) return invalidRequest([roleIssue]);
  if (role === member.role) return [];
  if (command.isOwner) return ownerStays;
  return [{ type: 'MemberRoleChanged', data: { accountId, userId, role, changedAt: occurredAt } }];
}

function deactivate(command: DeactivateMember, member: KnownMember): Decision {
  const { accountId, userId, by, occurredAt } = command;
  if (command.isOwner) return ownerStays;
  // An administrator's word stands above the directory's, which could take it back.
  const isSo = member.deactivatedBy === by || member.deactivatedBy === 'administrator';
  if (isSo) return [];
  const data = { accountId, userId, deactivatedBy: by, deactivatedAt: occurredAt };
  return [{ type: 'MemberDeactivated', data }];
}

function reactivate(command: ReactivateMember, member: KnownMember): Decision {
  const { accountId, userId, by, occurredAt } = command;
  if (member.status === 'active') return [];
  if (by === 'directory' && member.deactivatedBy !== 'directory') return [];
  return [{ type: 'MemberReactivated', data: { accountId, userId, reactivatedAt: occurredAt } }];
}

const ownerStays: MemberRejection = {
  rejected: 'conflict',
  message: 'The owner of an organization stays an active admin',
};
const roleIssue: Issue = { path: 'role', message: 'must be admin or member' };

function joinIssues({ userId, email, firstName, lastName, role }: JoinMember): readonly Issue[] {
  return [
    ...(idPattern.test(userId) ? [] : [{ path: 'user_id', message: 'must be an id' }]),
    ...(isEmail(email) ? [] : [{ path: 'email', message: 'must be an email address' }]),
    ...(firstName === null ? [] : nameIssues('first_name', firstName, nameCharactersMax)),
    ...(lastName === null ? [] : nameIssues('last_name', lastName, nameCharactersMax)),
    ...(isRole(role) ? [] : [roleIssue]),
  ];
}

function isRole(role: string): role is MemberRole {
  return roles.includes(role);
}

function conflict(message: string): MemberRejection {
  return { rejected: 'conflict', message };
}
