// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/weight_files.h"

#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/import/pickle.h"
#include "core/io/safetensors_header.h"
#include "core/json_text.h"
#include "core/tensor/number_formats.h"

namespace headlight {

namespace {

constexpr const char* oneFile = "model.safetensors";
constexpr const char* indexFile = "model.safetensors.index.json";
constexpr size_t longestIndex = size_t{16} << 20;

/// Which file each tensor lies in.
std::map<std::string, std::string> readIndex(const platform::Folder& folder) {
    const std::string shown = folder.shown(indexFile);
    const nlohmann::json json = parseBoundedJson(folder.read(indexFile, longestIndex), shown);
    const auto map = json.is_object() ? json.find("weight_map") : json.end();
    if (map == json.end() || !map->is_object() || map->empty())
        throw Error(shown + " has no weight_map that says in which file each tensor lies: copy the model again");
    std::map<std::string, std::string> index;
    for (const auto& [tensor, file] : map->items()) {
        const std::string name = file.is_string() ? file.get<std::string>() : "";
        if (name.empty() || name.find('/') != std::string::npos || name.find("..") != std::string::npos)
            throw Error(shown + " sends " + safetensors::quotedName(tensor) + " to " +
                        safetensors::quotedName(file.is_string() ? name : jsonText(file)) +
                        ", which is no file of this folder: a model's files lie beside its index");
        index.emplace(tensor, name);
    }
    return index;
}

/// The files that an index names, each once.
std::vector<std::string> partsOf(const std::map<std::string, std::string>& index) {
    std::set<std::string> parts;
    for (const auto& [tensor, part] : index)
        parts.insert(part);
    return {parts.begin(), parts.end()};
}

}  // namespace

std::vector<std::string> WeightFiles::namesIn(const platform::Folder& folder) {
    if (folder.has(oneFile)) return {oneFile};
    if (!folder.has(indexFile)) {
        refusePickles(folder);
        return {};
    }
    return partsOf(readIndex(folder));
}

WeightFiles WeightFiles::ofFolder(const platform::Folder& folder) {
    WeightFiles files;
    files.m_name = folder.path().string();
    if (const auto one = folder.find(oneFile)) {
        files.add(openSafetensors(one->string()));
        return files;
    }
    if (!folder.has(indexFile)) {
        refusePickles(folder);
        throw Error(files.m_name + " has neither " + oneFile + " nor " + indexFile +
                    ": name a folder that holds a model's weights as safetensors");
    }
    const std::map<std::string, std::string> index = readIndex(folder);
    for (const std::string& part : partsOf(index))
        files.add(openSafetensors(folder.file(part).string()));
    for (const auto& [tensor, part] : index)
        if (!files.has(tensor))
            throw Error(folder.shown(indexFile) + " has " + safetensors::quotedName(tensor) + " in " + part +
                        ", and it is not there: the files do not belong together, copy the model again");
    return files;
}

WeightFiles WeightFiles::ofFile(const std::string& path) {
    return of(openSafetensors(path));
}

WeightFiles WeightFiles::of(std::unique_ptr<const TensorFile> file) {
    WeightFiles files;
    files.m_name = file->name();
    files.add(std::move(file));
    return files;
}

WeightFiles WeightFiles::planned(const std::map<std::string, std::vector<int64_t>>& shapes) {
    WeightFiles files;
    files.m_name = "what is to be written";
    for (const auto& [name, shape] : shapes) {
        files.m_tensors.emplace(name, Place{0, name});
        files.m_planned.emplace(name, shape);
    }
    return files;
}

void WeightFiles::add(std::shared_ptr<const TensorFile> file) {
    for (const auto& [name, shape] : file->shapes())
        if (!m_tensors.emplace(name, Place{m_files.size(), name}).second)
            throw Error(file->name() + " has the tensor " + safetensors::quotedName(name) +
                        ", and another file of the model has it too: copy the model again");
    m_files.push_back(std::move(file));
}

void WeightFiles::rename(const std::function<std::string(const std::string&)>& rename) {
    std::map<std::string, Place> renamed;
    for (auto& [name, place] : m_tensors) {
        const std::string known = rename(name);
        if (const auto [entry, isNew] = renamed.emplace(known, place); !isNew)
            throw Error(m_name + " has the tensors " + safetensors::quotedName(name) + " and " +
                        safetensors::quotedName(entry->second.name) + ", two names of one: keep one of them");
    }
    m_tensors = std::move(renamed);
}

const WeightFiles::Place& WeightFiles::place(const std::string& name) const {
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end())
        throw Error(m_name + " lacks the tensor " + safetensors::quotedName(name) +
                    ": its weights and its configuration do not belong together, or it is not whole");
    return found->second;
}

const std::vector<int64_t>& WeightFiles::shape(const std::string& name) const {
    const Place& found = place(name);
    const auto planned = m_planned.find(found.name);
    return planned == m_planned.end() ? m_files[found.file]->shapes().at(found.name) : planned->second;
}

size_t WeightFiles::count(const std::string& name) const {
    size_t count = 1;
    for (const int64_t dim : shape(name))
        count *= static_cast<size_t>(dim);
    return count;
}

void WeightFiles::read(const std::string& name, std::span<float> values) const {
    const Place& from = place(name);
    m_files[from.file]->read(from.name, values);
    if (!allFinite(values.size(), values.data()))
        throw Error(where(name) + " has a weight that is not a number: its training went wrong, or it is damaged");
}

std::vector<float> WeightFiles::read(const std::string& name) const {
    std::vector<float> values(count(name));
    read(name, values);
    return values;
}

std::string WeightFiles::where(const std::string& name) const {
    const Place& found = place(name);
    const TensorFile& file = *m_files[found.file];
    return file.name() + ": the tensor " + safetensors::quotedName(file.nameInFile(found.name));
}

std::vector<std::string> WeightFiles::names() const {
    std::vector<std::string> names;
    for (const auto& [name, place] : m_tensors)
        names.push_back(name);
    return names;
}

std::string WeightFiles::floatTypes() const {
    std::string types;
    for (const auto& file : m_files)
        if (const std::string more = file->floatTypes(); types.find(more) == std::string::npos)
            types += (types.empty() ? "" : ", ") + more;
    return types;
}

size_t WeightFiles::count() const {
    size_t count = 0;
    for (const auto& [name, place] : m_tensors)
        count += this->count(name);
    return count;
}

}  // namespace headlight
