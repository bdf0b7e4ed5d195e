// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileInfo>
#include <QString>
#include <QStringList>
#include <memory>

namespace headlight {

struct ModelConfig;
struct TrainedModel;

/// A folder that comes with the program: `models`, `lessons`, `formulas`; where it is installed, or in the source tree
/// that it was built from. Empty: it is nowhere.
QString shippedFolder(const QString& name);

/// All models that ship, by name.
QFileInfoList shippedModels();
/// The file of one of them, or an empty string.
QString shippedModel(const QString& name);

/// The file of the shipped model to hold beside one that is open under that key: another one of its kind (translator,
/// language model, classifier); of these the nearest by name, as `en-fr-lstm` is to `en-fr-transformer`, then by the
/// size of its vocabulary. Empty where none of its kind ships: a label and a translation cannot be held against each
/// other.
QString shippedBeside(const QString& key);

/// Does the model in that file say the same words as one of that configuration? If not, no value of the one can be held
/// against any of the other. Reads the file's header.
bool isComparable(const ModelConfig& config, const QString& file);

/// What StageState says of the model in that file: a name where it ships, so that it means the same on any machine;
/// else the path. Of a name it is the name.
QString modelKeyOf(const QString& file);
/// The file of a model that StageState names: a shipped one by its name, else the path or the name in the cache of
/// Hugging Face's programs; where nothing is there, a shipped or recently opened file with these bytes (16 hexadecimal
/// digits of their SHA-256). Empty: it is not here.
QString findModel(const QString& key, const QString& hash);
/// The file or folder that a reader names: one that is there, a shipped model by its name, or one in the cache of
/// Hugging Face's programs by its own (core/import/model_cache.h). What can only be a path is given back as it is.
/// Throws Error as modelOrCached().
QString namedModel(const QString& name);
/// Is it a name such as Hugging Face's models have, of a model that is not on this computer?
bool isAbsentModel(const QString& name);
/// What a model is called on the screen: its file without the ending, its folder, and in that cache its name.
QString modelTitle(const QString& path);
/// Opens a file or a folder with a model, or shares the one that is open already of an unchanged file. Of any thread.
/// Throws Error as openModel() of core/import.
std::shared_ptr<const TrainedModel> openTrainedModel(const QString& path);
/// Remembers a file of the reader's own, the newest first.
void rememberModel(const QString& path);
QStringList recentModels();

/// The same of all that was opened, sentences and lessons as well: what rememberModel() and rememberOpened() were told.
void rememberOpened(const QString& path);
QStringList recentlyOpened();
void forgetOpened();

/// The first digits of a file's SHA-256; empty where it cannot be read.
QString hashOfFile(const QString& path);

/// The model that the program begins with: a translator of real language.
QString firstModel();

}  // namespace headlight
