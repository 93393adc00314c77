import { isObject } from './fields.ts';
import {
  type Check,
  inside,
  kindOf,
  listOf,
  objectOf,
  oneOf,
  refuse,
  type Shape,
  text,
} from './shape.ts';

const id = text({ min: 1 });
const progress = oneOf('in_progress', 'completed', 'incomplete');
/** Its code and message may be null where the provider says none: then the item comes back so. */
const safetyCheck = objectOf({ 'id*': text(), code: text(), message: text() });

/** An action of the model on a screen, in the provider's words: one, or several. */
export const computerCall: Shape = {
  'call_id*': id,
  'pending_safety_checks*': listOf(safetyCheck),
  'status*': progress,
  id,
};

const picture = kindOf({ computer_screenshot: { image_url: text({ min: 1 }), file_id: id } });

const screenshot: Check = (value, place) => {
  picture(value, place);
  if (isObject(value) && !value['image_url'] && !value['file_id'])
    refuse(inside(place, 'image_url'), 'is required, or file_id');
};

/** The screen after the action. */
export const computerCallOutput: Shape = {
  'call_id*': id,
  'output*': screenshot,
  acknowledged_safety_checks: listOf(safetyCheck),
  status: oneOf('in_progress', 'completed', 'incomplete', 'failed'),
  id,
};
